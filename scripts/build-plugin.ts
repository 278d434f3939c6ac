/**
 * Puts together what assistants install, in plugin/dist/: a marketplace with the plugin for Claude
 * Code, Copilot CLI, Codex and Gemini CLI, and an MCP bundle for desktop apps. Each holds the server.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { capabilities } from '../src/capabilities/index.ts'
import { bundledProgram } from './bundle.ts'
import { toolBin } from './tools.ts'

const root = path.join(import.meta.dirname, '..')
const source = path.join(root, 'plugin')
const dist = path.join(source, 'dist')
const marketplace = path.join(dist, 'marketplace')
const bundle = path.join(dist, 'bundle')
const icon = path.join(source, 'recollect', 'assets', 'icon.png')

fs.rmSync(dist, { recursive: true, force: true })
await buildServer(path.join(bundle, 'server'))

copy(path.join(source, '.claude-plugin'), path.join(marketplace, '.claude-plugin'))
copy(path.join(source, 'recollect'), path.join(marketplace, 'recollect'))
copy(path.join(bundle, 'server'), path.join(marketplace, 'recollect', 'server'))

copy(icon, path.join(bundle, 'icon.png'))
copy(path.join(root, 'LICENSE'), path.join(bundle, 'LICENSE'))
const manifest = JSON.parse(fs.readFileSync(path.join(source, 'bundle', 'manifest.json'), 'utf8'))
const tools = capabilities
  .map(({ name, description }) => ({ name, description }))
  .toSorted((a, b) => (a.name < b.name ? -1 : 1))
fs.writeFileSync(path.join(bundle, 'manifest.json'), `${JSON.stringify({ ...manifest, tools }, null, 2)}\n`)
const packed = path.join(dist, `recollect-${manifest.version}.mcpb`)
execFileSync(process.execPath, [toolBin('mcpb'), 'pack', bundle, packed], { stdio: 'ignore' })
console.log(`${path.relative(root, marketplace)}, ${path.relative(root, packed)}: ${kB(packed)} kB`)

/** The server alone, laid out like the package, so that its start-up file serves here too. */
async function buildServer(to: string): Promise<void> {
  await bundledProgram(path.join(to, 'dist'), { 'mcp-server': 'src/cli/mcp-server.ts' })
  copy(path.join(root, 'bin'), path.join(to, 'bin'))
  copy(path.join(root, 'LICENSE'), path.join(to, 'LICENSE'))
  const { name, version, license, type } = JSON.parse(
    fs.readFileSync(path.join(root, 'package.json'), 'utf8'),
  )
  fs.writeFileSync(path.join(to, 'package.json'), JSON.stringify({ name, version, license, type }))
}

function copy(from: string, to: string): void {
  fs.cpSync(from, to, { recursive: true })
}

function kB(file: string): number {
  return Math.round(fs.statSync(file).size / 1_000)
}
