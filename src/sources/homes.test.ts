import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { addedHomes, readConfig } from '../platform/config.ts'
import { recollectHome } from '../platform/machine.ts'
import { pathOf } from './continue/place.ts'
import { databaseUri } from './foreign-db.ts'
import { sources } from './index.ts'

/** Where each system's VS Code keeps its chats, below a home folder. */
const VSCODE = {
  win32: 'AppData/Roaming/Code/User',
  darwin: 'Library/Application Support/Code/User',
  linux: '.config/Code/User',
}

for (const [platform, folder] of Object.entries(VSCODE)) {
  test(`a home of ${platform} that is mounted here is read by the paths of this system`, (t) => {
    const home = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-home-'))
    t.after(() => fs.rmSync(home, { recursive: true }))
    fs.mkdirSync(path.join(home, folder), { recursive: true })
    fs.writeFileSync(path.join(home, 'config.json'), JSON.stringify({ homes: [home] }))
    const [machine] = addedHomes(readConfig(home))
    assert.equal(machine?.platform, platform)
    for (const source of sources) {
      for (const root of source.roots(machine!)) {
        const below = path.relative(home, root.path)
        assert.ok(!below.startsWith('..') && !below.includes('\\'), `${source.id}: ${root.path}`)
      }
    }
    const [vscode] = sources.filter(({ id }) => id === 'vscode')
    assert.ok(vscode?.roots(machine!).some((root) => fs.existsSync(root.path)))
  })
}

test('on Windows every root is a path of Windows', () => {
  const machine = { platform: 'win32' as const, home: 'C:\\Users\\me', env: {} }
  for (const { id, roots } of sources) {
    for (const { path: root } of roots(machine)) assert.match(root, /^C:\\Users\\me[^/]*$/, id)
  }
})

test('folders tied to a revision of a snap, or to a Flatpak, are not where the archive goes', () => {
  const machine = (data: string) => ({
    platform: 'linux' as const,
    home: '/home/me',
    env: { XDG_DATA_HOME: data },
  })
  for (const folder of [
    '/home/me/snap/code/182/.local/share',
    '/home/me/.var/app/com.visualstudio.code/data',
    'x',
  ]) {
    assert.equal(recollectHome(machine(folder)), '/home/me/.local/share/recollect')
    for (const source of sources) {
      for (const { path: root } of source.roots(machine(folder))) assert.ok(!root.startsWith(folder), root)
    }
  }
  assert.equal(recollectHome(machine('/data')), '/data/recollect')
})

test('an empty APPDATA makes no root relative', () => {
  const machine = {
    platform: 'win32' as const,
    home: 'C:\\Users\\me',
    env: { APPDATA: '', LOCALAPPDATA: '' },
  }
  assert.equal(recollectHome(machine), 'C:\\Users\\me\\AppData\\Local\\recollect')
  for (const { id, roots } of sources) {
    for (const { path: root } of roots(machine)) assert.match(root, /^C:\\Users\\me(?:\\|$)/, id)
  }
})

test('a database on a share of the network has a URI that SQLite takes', () => {
  assert.equal(databaseUri('\\\\corp\\share\\a b.db', true), 'file:////corp/share/a%20b.db')
  assert.equal(
    databaseUri('\\\\wsl.localhost\\Ubuntu\\home\\me\\x.db', true),
    'file:////wsl.localhost/Ubuntu/home/me/x.db',
  )
  assert.equal(databaseUri('C:\\Users\\me\\x.db', true), 'file:///C:/Users/me/x.db')
  assert.equal(databaseUri('/home/me/x.db', false), 'file:///home/me/x.db')
})

test("a folder of Windows in Continue's files is one on any system", () => {
  assert.equal(pathOf('file:///c%3A/Users/me/proj'), 'c:\\Users\\me\\proj')
  assert.equal(pathOf('file:///home/me/proj'), '/home/me/proj')
})
