import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openedWhenNeeded } from '../archive/opened.ts'
import { bench, say } from '../recall/test-kit.ts'

test('an archive that is opened when needed tells the secrets of a chat at once, as any other', async () => {
  const at = bench()
  try {
    await at.write({ id: 'chat-with-a-key' }, [say(0, 'password = Xk7$qPz91LmVwR2t'), say(1, 'more')])
    const archive = openedWhenNeeded(async () => at.archive)
    assert.equal(archive.secretsSeen(undefined).size, 0)
    const { key } = await archive.resolveChat('chat-with-a-key')
    assert.equal(archive.secretsSeen(key).size, at.archive.secretsSeen(key).size)
    assert.ok(archive.secretsSeen(key).size > 0)
  } finally {
    await at.close()
  }
})
