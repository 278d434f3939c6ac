/**
 * `npm run release`: builds what is published into release/ (the npm package, the extension, the MCP bundle and the
 * plugin), tries each in an empty home, and writes SHA256SUMS. Publishes nothing: .github/workflows/release.yml does,
 * with provenance, from the same files.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { capabilities } from '../src/capabilities/index.ts'
import { toolBin } from './tools.ts'

const root = path.join(import.meta.dirname, '..')
const release = path.join(root, 'release')
const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-release-'))
const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
/** As vsce names it: by the extension's own name. */
const vsix = `recollect-vscode-${version}.vsix`

/** What is published: how it is built, and how its server is started once it is unpacked in a folder. */
const PARTS = [
  {
    name: `recollect-${version}.tgz`,
    build: () => npm(['pack', '--silent', '--pack-destination', release]),
    unpack(file: string, folder: string) {
      fs.writeFileSync(path.join(folder, 'package.json'), '{"private":true}')
      npm(['install', '--offline', '--no-audit', '--no-fund', file], folder)
      const command = path.join(folder, 'node_modules', 'recollect', 'bin', 'recollect')
      assert.equal(run([command, '--version'], folder).trim(), version)
      assert.match(run([command, '--sample', 'search', 'deadlock'], folder), /Deadlock/)
      return [command, 'mcp']
    },
  },
  {
    name: vsix,
    build() {
      script('build-vscode.ts', '--package')
      fs.renameSync(path.join(root, 'vscode', vsix), path.join(release, vsix))
    },
    unpack(file: string, folder: string) {
      execFileSync('unzip', ['-q', file, '-d', folder])
      return [path.join(folder, 'extension', 'dist', 'mcp-server.js')]
    },
  },
  {
    name: `recollect-${version}.mcpb`,
    build() {
      script('build-plugin.ts')
      fs.copyFileSync(
        path.join(root, 'plugin', 'dist', `recollect-${version}.mcpb`),
        path.join(release, `recollect-${version}.mcpb`),
      )
    },
    unpack(file: string, folder: string) {
      execFileSync(process.execPath, [toolBin('mcpb'), 'unpack', file, folder], { stdio: 'ignore' })
      const { server } = JSON.parse(fs.readFileSync(path.join(folder, 'manifest.json'), 'utf8'))
      return (server.mcp_config.args as string[]).map((arg) => arg.replaceAll(`\${__dirname}`, folder))
    },
  },
  {
    name: `recollect-plugin-${version}.tar.gz`,
    build() {
      // Built together with the bundle.
      const from = path.join(root, 'plugin', 'dist')
      execFileSync('tar', [
        '-czf',
        path.join(release, `recollect-plugin-${version}.tar.gz`),
        '-C',
        from,
        'marketplace',
      ])
    },
    unpack(file: string, folder: string) {
      execFileSync('tar', ['-xzf', file, '-C', folder])
      const plugin = path.join(folder, 'marketplace', 'recollect')
      const { mcpServers } = JSON.parse(fs.readFileSync(path.join(plugin, '.mcp.json'), 'utf8'))
      return (mcpServers.recollect.args as string[]).map((arg) =>
        arg.replaceAll(`\${CLAUDE_PLUGIN_ROOT}`, plugin),
      )
    },
  },
]

fs.rmSync(release, { recursive: true, force: true })
fs.mkdirSync(release)
try {
  for (const { name, build, unpack } of PARTS) {
    build()
    const file = path.join(release, name)
    const folder = path.join(temp, name)
    fs.mkdirSync(folder)
    await answers(unpack(file, folder), folder)
    console.log(`${name}: ${Math.round(fs.statSync(file).size / 1_000)} kB, tried in an empty home`)
  }
  const sums = PARTS.map(({ name }) => `${sha256(path.join(release, name))}  ${name}\n`).join('')
  fs.writeFileSync(path.join(release, 'SHA256SUMS'), sums)
  console.log(`release/SHA256SUMS\n${sums}`)
} finally {
  fs.rmSync(temp, { recursive: true, force: true })
}

/** Started as a client would, the server has this version and all tools. */
async function answers(args: string[], folder: string): Promise<void> {
  const client = new Client({ name: 'release', version })
  const transport = new StdioClientTransport({ command: process.execPath, args, env: emptyHome(folder) })
  await client.connect(transport)
  assert.equal(client.getServerVersion()?.version, version)
  assert.equal((await client.listTools()).tools.length, capabilities.length)
  await client.close()
}

function emptyHome(folder: string): Record<string, string> {
  const home = path.join(folder, 'home')
  fs.mkdirSync(home, { recursive: true })
  return {
    PATH: process.env.PATH!,
    HOME: home,
    USERPROFILE: home,
    RECOLLECT_HOME: path.join(home, 'archive'),
  }
}

function run(args: string[], folder: string): string {
  return execFileSync(process.execPath, args, { encoding: 'utf8', env: emptyHome(folder), cwd: folder })
}

function npm(args: string[], cwd = root): void {
  const own = process.env.npm_execpath
  execFileSync(own ? process.execPath : 'npm', own ? [own, ...args] : args, {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: !own && process.platform === 'win32',
  })
}

function script(name: string, ...args: string[]): void {
  execFileSync(process.execPath, [path.join(root, 'scripts', name), ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function sha256(file: string): string {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex')
}
