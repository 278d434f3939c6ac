import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { thisMachine } from '../../platform/machine.ts'
import { withLinks } from '../../platform/test-links.ts'
import { lastingNode, versionFolder } from './lasting.ts'
import { localServer } from './server.ts'

const temp = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-lasting-')))
after(() => fs.rmSync(temp, { recursive: true, force: true }))
const HERE = { ...thisMachine(), home: path.join(temp, 'home'), env: {} }
const NODE = path.join(temp, 'n', 'node')
const ROOT = path.join(temp, 'lib', 'node_modules', 'recollect')

test('what is started is named by paths that last', withLinks, () => {
  const script = file(ROOT, 'bin', 'recollect')
  const called = link(script, 'bin', 'recollect')
  const ofShell = link(script, 'fnm_multishells', '12', 'bin', 'recollect')
  const words = (script: string) => {
    const server = localServer(HERE, { node: NODE, script, root: ROOT }, ['mcp'])
    return server.transport === 'stdio' ? [server.command, ...server.args] : []
  }
  assert.deepEqual(words(called), [NODE, called, 'mcp'])
  assert.deepEqual(words(ofShell), [NODE, script, 'mcp'])
  assert.deepEqual(words(path.join(temp, 'somewhere', 'else.js')), [NODE, script, 'mcp'])
})

test('Node is named by the link that its installer keeps from version to version', withLinks, () => {
  const installed = (...parts: string[]) => file(temp, ...parts)
  const fnm = installed('fnm', 'node-versions', 'v24.1.0', 'installation', 'bin', 'node')
  const ofShell = link(path.dirname(path.dirname(fnm)), 'fnm_multishells', '4711')
  assert.equal(lastingNode(path.join(ofShell, 'bin', 'node'), HERE), fnm, 'without a default')
  const byDefault = link(path.dirname(path.dirname(fnm)), 'fnm', 'aliases', 'default')
  assert.equal(lastingNode(path.join(ofShell, 'bin', 'node'), HERE), path.join(byDefault, 'bin', 'node'))
  const other = installed('fnm', 'node-versions', 'v22.18.0', 'installation', 'bin', 'node')
  assert.equal(lastingNode(other, HERE), other, 'the default is another version')

  const mise = installed('mise', 'installs', 'node', '24.1.0', 'bin', 'node')
  assert.equal(lastingNode(mise, HERE), mise)
  const major = link('24.1.0', 'mise', 'installs', 'node', '24')
  assert.equal(lastingNode(mise, HERE), path.join(major, 'bin', 'node'))

  const brewed = installed('brew', 'Cellar', 'node@24', '24.1.0', 'bin', 'node')
  const keg = link('../Cellar/node@24/24.1.0', 'brew', 'opt', 'node@24')
  assert.equal(lastingNode(brewed, HERE), path.join(keg, 'bin', 'node'))

  const scoop = installed('scoop', 'apps', 'nodejs', '24.1.0', 'node.exe')
  const current = link('24.1.0', 'scoop', 'apps', 'nodejs', 'current')
  assert.equal(lastingNode(scoop, HERE), path.join(current, 'node.exe'))

  const ofNix = link(installed('nix', 'node'), 'home', '.nix-profile', 'bin', 'node')
  assert.equal(lastingNode(path.join(temp, 'nix', 'node'), HERE), ofNix)

  const nvm = installed('nvm', 'v24.1.0', 'node.exe')
  const env = { NVM_SYMLINK: link(path.dirname(nvm), 'nodejs') }
  assert.equal(lastingNode(nvm, { ...HERE, env }), path.join(env.NVM_SYMLINK, 'node.exe'))
})

test('of Volta the shim is taken, which finds its Node itself', () => {
  const node = file(temp, '.volta', 'tools', 'image', 'node', '24.1.0', 'bin', 'node')
  assert.equal(lastingNode(node, HERE), node, 'there is no shim')
  const shim = file(temp, '.volta', 'bin', 'node')
  assert.equal(lastingNode(node, HERE), shim)
})

test("a snap's revision is not written, for Node nor for folders", () => {
  assert.equal(lastingNode('/snap/node/9421/bin/node', HERE), '/snap/node/current/bin/node')
  const env = { XDG_DATA_HOME: '/home/me/snap/code/182/.local/share', CODEX_HOME: '/c' }
  const server = localServer({ ...HERE, env }, { node: NODE, script: '', root: ROOT }, [])
  assert.deepEqual(server.transport === 'stdio' && server.env, { CODEX_HOME: '/c' })
})

test('what is in the folder of one version is told by its path', () => {
  const folders = [
    '/home/me/.nvm/versions/node/v24.1.0',
    '/home/me/.asdf/installs/nodejs/24.1.0',
    '/home/me/.local/share/fnm/node-versions/v26.0.0-rc.1',
    '/home/me/.local/share/pnpm/global/5/.pnpm/recollect@0.1.0',
    '/nix/store/0c0000000000000000000000000000a1-nodejs-24.1.0',
    'C:\\Users\\me\\AppData\\Local\\nvm\\v24.1.0',
  ]
  for (const folder of folders) {
    const script = `${folder}${folder.includes('\\') ? '\\' : '/'}recollect`
    assert.equal(versionFolder(['/usr/bin/node', script, 'mcp']), folder)
  }
  assert.equal(versionFolder(['/opt/homebrew/bin/node', '/usr/local/bin/recollect', 'mcp']), undefined)
  assert.equal(versionFolder(['C:\\Program Files\\nodejs\\node.exe', 'C:\\r\\bin\\recollect']), undefined)
})

function file(...parts: string[]): string {
  const made = path.join(...parts)
  fs.mkdirSync(path.dirname(made), { recursive: true })
  fs.writeFileSync(made, '')
  return made
}

function link(to: string, ...parts: string[]): string {
  const made = path.join(temp, ...parts)
  fs.mkdirSync(path.dirname(made), { recursive: true })
  fs.symlinkSync(to, made)
  return made
}
