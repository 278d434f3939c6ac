import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withLinks } from '../../web/src/pages/ask/cited-links.ts'

const URI = 'context://sessions/b6fb68b8-36d3-4357-8b35-71944dd9ba8f#m12'
const words = { unverified: 'unverified', by: (author: string) => `by ${author}` }
const linked = (text: string, about: object) => {
  const from = text.indexOf('context://')
  const found = {
    uri: URI,
    from,
    to: from + URI.length,
    verified: true,
    chatId: 'b6fb68b8-36d3',
    source: 'codex',
  }
  return withLinks(text, [{ ...found, index: 12, ...about }], words)
}
const TARGET = 'context://sessions/codex:b6fb68b8-36d3#m12'

test('a place in a past chat is a link, and says whose chat it is where it is a colleague’s', () => {
  assert.equal(linked(`So (${URI}).`, {}), `So ([b6fb68b8#12](${TARGET})).`)
  assert.equal(linked(`So (${URI}).`, { author: 'Anna' }), `So ([b6fb68b8#12 by Anna](${TARGET})).`)
  assert.equal(linked(`See [this](${URI}).`, { author: 'Anna' }), `See [this](${TARGET}) by Anna.`)
  assert.equal(
    linked(`So ${URI}`, { author: '[x](https://evil)' }),
    `So [b6fb68b8#12 by xhttps://evil](${TARGET})`,
    'a name is no link',
  )
})

test('what does not hold is marked and leads nowhere; what was not looked up yet leads nowhere', () => {
  assert.equal(linked(`So (${URI}).`, { verified: false }), 'So (b6fb68b8#12 *(unverified)*).')
  assert.equal(linked(`[So](${URI}).`, { verified: false }), '[So]() *(unverified)*.')
  assert.equal(withLinks(`So (${URI}).`, undefined, words), 'So (b6fb68b8#12).')
})
