import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HubSpace } from './settings.ts'
import { isShared } from './sharing.ts'

test('a folder is shared whichever way a chat writes it, and its neighbour is not', () => {
  const space = { kind: 'team', shares: [{ workspace: 'C:\\Users\\me\\shop' }] } as unknown as HubSpace
  for (const workspace of [
    'C:\\Users\\me\\shop',
    'c:/Users/me/shop',
    'C:\\users\\ME\\shop\\',
    'file:///c%3A/Users/me/shop',
    '\\\\?\\C:\\Users\\me\\shop',
    '/mnt/c/Users/me/shop',
    'C:\\Users\\me\\shop\\packages\\cart',
  ])
    assert.ok(isShared({ workspace }, space), workspace)
  for (const workspace of ['C:\\Users\\me\\shop2', 'D:\\Users\\me\\shop', 'C:\\Users\\me'])
    assert.ok(!isShared({ workspace }, space), workspace)
})
