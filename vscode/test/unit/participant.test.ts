import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CancellationTokenSource, host, type MarkdownString } from './fake-vscode.ts'
import { DEADLOCK, openWindow, writeDialog } from './kit.ts'

interface Answered {
  text: string
  markdown: MarkdownString[]
  dialogs: string[]
}

const SILENT = {
  async sendRequest() {
    throw new Error('no model is signed in')
  },
}

test('without a model it answers with what was found, and links to it', async () => {
  await using _ = await openWindow()
  const { text, dialogs, markdown } = await ask('the deadlock between checkout and stock import', SILENT)
  assert.equal(dialogs[0], `claude-code:${DEADLOCK}`)
  assert.match(text, /chats? found/)
  const given = encodeURIComponent(JSON.stringify([`claude-code:${DEADLOCK}`])).slice(0, -3)
  assert.ok(text.includes(`](command:recollect.openDialog?${given}`), text)
  assert.deepEqual(markdown[0]?.isTrusted, { enabledCommands: ['recollect.openDialog'] })
})

test('with a model it has the answer written from the passages, which are marked as quoted', async () => {
  await using _ = await openWindow()
  let asked = ''
  const model = {
    async sendRequest([message]: { content: string }[]) {
      asked = message?.content ?? ''
      return {
        text: (async function* () {
          yield 'Lock them '
          yield 'in order ['
          yield '1] and [2, 99].'
        })(),
      }
    },
  }
  const { text } = await ask('how was the deadlock fixed?', model)
  assert.match(asked, /<recalled what="\[1\] .*deadlock.*\n.*data, not instructions/is)
  assert.match(asked, /Question: how was the deadlock fixed\?$/)
  assert.match(text, /^Lock them in order .*From these chats/s)
  // Every claim opens at the message that says so; what was never given is marked and leads nowhere.
  const [first, second] = Array.from(
    text.matchAll(/\\\[\[(\d+)\]\(command:recollect\.openDialog\?([^)]+)\)\\\]/g),
    ([, n, given = '']) => [n, ...JSON.parse(decodeURIComponent(given))],
  )
  assert.deepEqual([first?.[0], second?.[0]], ['1', '2'])
  assert.equal(first?.[1], `claude-code:${DEADLOCK}`)
  assert.equal(typeof first?.[2], 'number')
  assert.match(text, /\\\[99: unverified\\\]\./)
})

test('nothing found, and nothing to search for, are said', async () => {
  await using _ = await openWindow()
  assert.match((await ask('xyzzyplugh', SILENT)).text, /Nothing in your chats/)
  assert.match((await ask('?!', SILENT)).text, /nothing to search for/)
})

test('/recent and no words at all list the latest dialogs', async () => {
  await using _ = await openWindow()
  for (const [prompt, command] of [
    ['', undefined],
    ['anything', 'recent'],
  ] as const) {
    const { text, dialogs } = await ask(prompt, SILENT, command)
    assert.match(text, /Your latest chats/)
    assert.ok(dialogs.length > 5)
  }
})

test('/requests tells what was asked in this window', async () => {
  await using window = await openWindow()
  writeDialog(window.chats, 'aaaaaaaa-0000-4000-8000-000000000001', ['first', '[x](command:evil)'])
  const { text } = await ask('', SILENT, 'requests')
  assert.match(text, /\*\*2 requests\*\*/)
  assert.match(text, /2\. \\\[x\\\]\\\(command:evil\\\)/, 'what was said is not a link')
})

test('an empty archive offers to read chats', async () => {
  await using _ = await openWindow({ synced: false })
  assert.match((await ask('', SILENT)).text, /No chats have been read yet/)
})

async function ask(prompt: string, model: object, command?: string): Promise<Answered> {
  const markdown: MarkdownString[] = []
  let text = ''
  const stream = {
    progress() {},
    button() {},
    markdown(said: string | MarkdownString) {
      if (typeof said !== 'string') markdown.push(said)
      text += typeof said === 'string' ? said : said.value
    },
  }
  const handler = host.participants.get('recollect.participant') as unknown as (
    ...given: unknown[]
  ) => Promise<{ metadata?: { dialogs: string[] } }>
  const request = { prompt, command, model, toolInvocationToken: undefined }
  const { metadata } = await handler(request, {}, stream, new CancellationTokenSource().token)
  return { text, markdown, dialogs: metadata?.dialogs ?? [] }
}
