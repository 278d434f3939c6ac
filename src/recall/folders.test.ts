import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchConversations } from '../search/search.ts'
import { bench, say } from './test-kit.ts'

test('a search in one folder of Windows finds its chats, however either spells it', async (t) => {
  const desk = bench()
  t.after(desk.close)
  const folders = {
    one: 'C:\\Work\\Proj',
    two: 'c:\\work\\proj',
    below: 'C:/Work/Proj/sub',
    other: 'C:\\Work\\Proj2',
  }
  for (const [id, workspace] of Object.entries(folders))
    await desk.write({ id, workspace }, [say(0, `the deadlock of ${id}`)])
  for (const workspace of [
    'C:\\Work\\Proj',
    'c:\\work\\proj\\',
    'C:/Work/Proj',
    'file:///c%3A/Work/Proj',
    '/mnt/c/Work/Proj',
    '\\\\?\\C:\\Work\\Proj',
  ]) {
    const { results } = await searchConversations(desk.archive, { intent_query: 'deadlock', workspace })
    assert.deepEqual(results.map(({ chatId }) => chatId).sort(), ['below', 'one', 'two'], workspace)
  }
})
