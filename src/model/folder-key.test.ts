import assert from 'node:assert/strict'
import { test } from 'node:test'
import { folderKey, isWithinFolder } from './folder-key.ts'

/** Each row is one folder. */
const SAME: string[][] = [
  [
    'C:\\Users\\Me\\Proj',
    'c:\\Users\\Me\\Proj',
    'C:/Users/Me/Proj',
    'c:/users/me/proj/',
    'file:///c%3A/Users/Me/Proj',
    'file:///C:/Users/Me/Proj/',
    '/c:/Users/Me/Proj',
    '/mnt/c/Users/Me/Proj',
    '\\\\?\\C:\\Users\\Me\\Proj',
    'C:\\Users\\Me\\Other\\..\\Proj\\',
  ],
  ['\\\\corp\\share\\Proj', '//corp/share/proj', '\\\\?\\UNC\\corp\\share\\Proj', 'file://corp/share/Proj'],
  [
    '/home/me/proj',
    '/home/me/proj/',
    '/home/me//proj/.',
    'file:///home/me/proj',
    '\\\\wsl.localhost\\Ubuntu\\home\\me\\proj',
    '\\\\wsl$\\Ubuntu-24.04\\home\\me\\proj',
    'vscode-remote://wsl%2Bubuntu/home/me/proj',
  ],
  ['/Users/me/Proj', '/users/Me/proj', 'file:///Users/me/Proj'],
  ['/private/tmp/x', '/tmp/x'],
  ['/', '//', 'file:///'],
]

for (const [first = '', ...others] of SAME) {
  test(`${first} has one key, however it is spelt`, () => {
    for (const other of others) assert.equal(folderKey(other), folderKey(first), other)
  })
}

test('different folders have different keys', () => {
  const folders = [
    ...SAME.map(([first = '']) => first),
    '/home/me/Proj',
    'D:\\Users\\Me\\Proj',
    '/mnt/backup/c',
    '/c/Users',
    '/home/me/proj2',
    '%E0%A4%A',
  ]
  assert.equal(new Set(folders.map(folderKey)).size, folders.length)
})

test('what is inside of a folder is told from what only begins alike', () => {
  assert.ok(isWithinFolder('c:\\work\\shop\\src', 'C:/Work/Shop'))
  assert.ok(isWithinFolder('/mnt/c/work/shop', 'C:\\Work\\Shop'))
  assert.ok(!isWithinFolder('C:\\work\\shop2', 'C:\\work\\shop'))
  assert.ok(!isWithinFolder('/home/me', '/'))
})
