import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Machine } from '../../platform/machine.ts'
import { userFolders } from './roots.ts'
import { placeOf, workspacePath } from './uri.ts'

const MACHINES: { what: string; machine: Machine; has: string[]; hasNot?: string[] }[] = [
  {
    what: 'Linux',
    machine: { platform: 'linux', home: '/home/me', env: {} },
    has: [
      '/home/me/.config/Code/User',
      '/home/me/.config/Code - Insiders/User',
      '/home/me/.config/VSCodium/User',
      '/home/me/.config/VSCodium - Insiders/User',
      '/home/me/.config/Code - OSS/User',
      '/home/me/.config/Positron/User',
      '/home/me/.var/app/com.visualstudio.code/config/Code/User',
      '/home/me/.var/app/com.vscodium.codium/config/VSCodium/User',
      '/home/me/.local/share/code-server/User',
      '/home/me/.vscode-server/data/User',
      '/home/me/.vscode-server-insiders/data/User',
      '/home/me/.vscodium-server/data/User',
    ],
    hasNot: ['/home/me/.config/Cursor/User'],
  },
  {
    what: 'Linux with other folders',
    machine: {
      platform: 'linux',
      home: '/home/me',
      env: {
        XDG_CONFIG_HOME: '/cfg',
        XDG_DATA_HOME: '/data',
        VSCODE_PORTABLE: '/usb/code/data',
        VSCODE_APPDATA: '/app',
        VSCODE_AGENT_FOLDER: '/srv/agent',
      },
    },
    has: [
      '/cfg/Code/User',
      '/data/code-server/User',
      '/usb/code/data/user-data/User',
      '/app/Code/User',
      '/app/VSCodium/User',
      '/srv/agent/data/User',
    ],
    hasNot: ['/home/me/.config/Code/User'],
  },
  {
    what: 'macOS',
    machine: { platform: 'darwin', home: '/Users/me', env: {} },
    has: [
      '/Users/me/Library/Application Support/Code/User',
      '/Users/me/Library/Application Support/Positron/User',
      '/Users/me/.local/share/code-server/User',
      '/Users/me/.vscode-server/data/User',
    ],
    hasNot: ['/Users/me/.var/app/com.visualstudio.code/config/Code/User'],
  },
  {
    what: 'Windows',
    machine: {
      platform: 'win32',
      home: 'C:\\Users\\me',
      env: { APPDATA: 'C:\\Users\\me\\AppData\\Roaming', LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local' },
    },
    has: [
      'C:\\Users\\me\\AppData\\Roaming\\Code\\User',
      'C:\\Users\\me\\AppData\\Roaming\\Code - Insiders\\User',
      'C:\\Users\\me\\AppData\\Local\\code-server\\Data\\User',
      'C:\\Users\\me\\.vscode-server\\data\\User',
    ],
  },
]

for (const { what, machine, has, hasNot = [] } of MACHINES) {
  test(`the User folders on ${what}`, () => {
    const folders = userFolders(machine).map((root) => root.path)
    assert.equal(new Set(folders).size, folders.length)
    for (const folder of has) assert.ok(folders.includes(folder), `${folder} in\n${folders.join('\n')}`)
    for (const folder of hasNot) assert.ok(!folders.includes(folder), folder)
  })
}

test('the folder a window was opened on', () => {
  for (const [uri, folder] of [
    ['file:///home/me/proj', '/home/me/proj'],
    ['file:///home/me/proj/', '/home/me/proj'],
    ['file:///home/me/x.code-workspace', '/home/me/x.code-workspace'],
    ['file:///c%3A/Users/me/My%20Proj', 'C:\\Users\\me\\My Proj'],
    ['file://server/share/proj', '\\\\server\\share\\proj'],
    ['vscode-remote://ssh-remote%2Bmyhost/home/me/proj', 'vscode-remote://ssh-remote+myhost/home/me/proj'],
    ['vscode-remote://wsl%2Bubuntu/home/me/%D1%84', 'vscode-remote://wsl+ubuntu/home/me/ф'],
    ['vscode-remote://127.0.0.1:8080/home/me/proj', '/home/me/proj'],
    ['vscode-vfs://github/me/proj', 'vscode-vfs://github/me/proj'],
    ['file:///bad%zz', '/bad%zz'],
    ['', undefined],
    [{}, undefined],
  ] as const) {
    assert.equal(workspacePath(uri), folder)
  }
})

test('places, however they are written', () => {
  const circle: Record<string, unknown> = {}
  circle.uri = circle
  for (const [value, place] of [
    ['file:///a/b%20c.ts#L3', { path: '/a/b c.ts', name: 'b c.ts' }],
    ['/a/b.ts', { path: '/a/b.ts', name: 'b.ts' }],
    ['C:\\a\\b.ts', { path: 'C:\\a\\b.ts', name: 'b.ts' }],
    ['https://x.org/a?b', { url: 'https://x.org/a?b', name: 'a' }],
    ['just words', undefined],
    [
      { $mid: 1, scheme: 'file', path: '/a/b.ts' },
      { path: '/a/b.ts', name: 'b.ts' },
    ],
    [
      { uri: { scheme: 'vscode-remote', authority: 'ssh-remote+h', path: '/a' }, range: {} },
      { path: '/a', name: 'a' },
    ],
    [
      { scheme: 'untitled', path: 'Untitled-1' },
      { url: 'untitled:Untitled-1', name: 'Untitled-1' },
    ],
    [circle, undefined],
    [null, undefined],
  ] as const) {
    assert.deepEqual(placeOf(value), place)
  }
})
