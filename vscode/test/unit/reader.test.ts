import assert from 'node:assert/strict'
import fs from 'node:fs'
import { describe, test } from 'node:test'
import { syncOnce } from '../../../src/sync/once.ts'
import { markdown, plainText } from '../../src/reader/markdown.ts'
import { host } from './fake-vscode.ts'
import { DEADLOCK, openWindow, until, writeDialog } from './kit.ts'

/** Every tag that may stand on a page, with every attribute that it may have. */
const OURS =
  /^<(\/?(p|pre|code|span|a|strong|em|s|h[3-6]|ul|ol|li|table|thead|tbody|tr|th|td|br|hr|blockquote)|pre tabindex="0"|span class="(language|picture)"|code title="[^"]*"|a href="https?:[^"]*" title="[^"]*")>$/

describe('Markdown', () => {
  const CASES: [string, string, RegExp][] = [
    ['headings', '# One\n## Two', /<h3>One<\/h3><h4>Two<\/h4>/],
    ['emphasis', 'a **b** and *c* and ~~d~~', /<strong>b<\/strong> and <em>c<\/em> and <s>d<\/s>/],
    ['names_with_signs stay', 'snake_case_name and 2*3*4', /<p>snake_case_name and 2\*3\*4<\/p>/],
    ['code', 'run `a < b`', /<code>a &lt; b<\/code>/],
    ['a block', '```ts\nif (a < b) {}\n```\nafter', /<code>if \(a &lt; b\) {}<\/code><\/pre><p>after<\/p>/],
    ['a block that never ends', '```\nlost', /<code>lost<\/code>/],
    ['lists', '- a\n- b\n  - c\n- d', /<ul><li>a<\/li><li>b<ul><li>c<\/li><\/ul><\/li><li>d<\/li><\/ul>/],
    ['numbers', '1. a\n2. b', /<ol><li>a<\/li><li>b<\/li><\/ol>/],
    ['tables', '| a | b |\n| --- | --- |\n| 1 | 2 |', /<th>a<\/th><th>b<\/th>.*<td>1<\/td><td>2<\/td>/],
    ['quotes', '> said\n> so', /<blockquote><p>said\nso<\/p><\/blockquote>/],
    ['links', '[docs](https://example.com/a?b=1&c=2)', /<a href="https:\/\/example.com\/a\?b=1&amp;c=2"/],
    ['bare addresses', 'see https://example.com/a.', /<a href="https:\/\/example.com\/a"[^>]*>[^<]*<\/a>\./],
    [
      'files without a label',
      '[](file:///p/net.ts#L1)',
      /<code title="file:\/\/\/p\/net.ts#L1">net.ts<\/code>/,
    ],
    ['pictures', '![cat](https://example.com/cat.png)', /\[picture: cat\]/],
  ]
  for (const [what, text, expected] of CASES) test(what, () => assert.match(markdown(text), expected))

  test('can do nothing, whatever it says', () => {
    const hostile = [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '[x](javascript:alert(1))',
      '[x](command:workbench.action.terminal.kill)',
      '[x](https://a" onmouseover="alert(1))',
      '![x](https://evil.example/beacon.png)',
      '`</code><script>`',
      '```"><script>\n</pre><script>\n```',
      '| <b> | x |\n| --- | --- |\n| <i> | <iframe> |',
      '# <style>',
    ]
    for (const text of hostile) {
      for (const html of [markdown(text), plainText(text)]) {
        for (const tag of html.match(/<\/?[a-z][^>]*>/gi) ?? []) assert.match(tag, OURS)
      }
    }
  })

  test('takes a page of stray signs', () => {
    for (const sign of ['*', '[', '`', '> ', '|\n', '1. ', '![', '~~']) {
      const text = sign.repeat(30_000)
      assert.ok(markdown(text).length > 0)
    }
  })

  test('what a person typed stays as typed', () => {
    assert.equal(plainText('# not a heading\n- nor *this*'), '<p># not a heading\n- nor *this*</p>')
  })
})

test('a page loads our script and style and nothing else', async () => {
  await using window = await openWindow()
  await window.command('openDialog', DEADLOCK)
  const html = host.panels.at(-1)?.webview.html ?? ''
  const [, policy = ''] = /Content-Security-Policy" content="([^"]+)"/.exec(html) ?? []
  const [, nonce] = /'nonce-([\w-]{20,})'/.exec(policy) ?? []
  assert.match(policy, /^default-src 'none'; style-src https:\/\/webview\.test; script-src 'nonce-/)
  assert.doesNotMatch(policy, /unsafe|\*/)
  assert.deepEqual(html.match(/<script[^>]*>/g)?.length, 1)
  assert.match(html, new RegExp(`<script nonce="${nonce}" src="[^"]*media/reader\\.js"`))
  assert.equal(html.match(/class="request"/g)?.length, 3)
})

test('a tool call and its answer stand together', async () => {
  await using window = await openWindow()
  await window.command('openDialog', DEADLOCK)
  const html = host.panels.at(-1)?.webview.html ?? ''
  assert.match(html, /<details class="tool"><summary>\w+ · [^<]+<\/summary>/)
  assert.doesNotMatch(html, /Tool result/)
})

test('one dialog has one page, which follows what is added to it', async () => {
  await using window = await openWindow()
  const id = 'aaaaaaaa-0000-4000-8000-000000000001'
  writeDialog(window.chats, id, ['first'], { title: 'Grows' })
  const secretary = await window.api.secretary()
  const sync = () => syncOnce({ archive: secretary.archive, ...secretary.readable() })
  await sync()
  await window.command('openDialog', `vscode:${id}`)
  await window.command('openDialog', id)
  assert.equal(host.panels.length, 1)
  const [panel] = host.panels
  assert.equal(panel?.title, 'Grows')
  // The archive is asked what is new only after a first look at it.
  await until('the first look', async () => {
    writeDialog(window.chats, id, ['first', `second ${Date.now()}`], { title: 'Grows' })
    await sync()
    return panel?.posted.length
  })
  assert.match(JSON.stringify(panel?.posted.at(-1)), /second/)
})

test('the page may ask only for what it has buttons for', async () => {
  await using window = await openWindow()
  await window.command('openDialog', DEADLOCK)
  const [panel] = host.panels
  host.pick = (items) => items[0]
  panel?.send({ do: 'copyRequest' })
  await until('the copy', () => host.clipboard)
  host.executed.length = 0
  for (const message of [{ do: 'forget' }, { do: 'workbench.action.quit' }, null, 'text', { command: 'x' }])
    panel?.send(message)
  assert.deepEqual(host.executed, [])
})

test('a long dialog begins near its end, and shows earlier messages when asked', async () => {
  await using window = await openWindow()
  const id = 'aaaaaaaa-0000-4000-8000-000000000001'
  const requests = Array.from({ length: 400 }, (_, n) => `request number ${n}`)
  writeDialog(window.chats, id, requests)
  await window.command('openDialog', id)
  const [panel] = host.panels
  assert.match(panel?.webview.html ?? '', /Show 500 earlier messages/)
  panel?.send({ do: 'showEarlier' })
  const { body } = (await until('more', () => panel?.posted.at(-1))) as { body: string }
  assert.match(body, /Show 200 earlier messages/)
  assert.ok(fs.existsSync(window.chats))
})
