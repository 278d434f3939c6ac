import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { writes } from '../../../src/capabilities/capability.ts'
import { capabilities } from '../../../src/capabilities/index.ts'
import { CancellationError, CancellationTokenSource, host, workspace } from './fake-vscode.ts'
import { DEADLOCK, manifest, openWindow, type TestWindow, writeDialog } from './kit.ts'

let window: TestWindow
before(async () => {
  window = await openWindow()
})
after(async () => await window[Symbol.asyncDispose]())

test('every capability is a tool, in the manifest and registered, and its registration is logged', () => {
  const names = capabilities.map(({ name }) => `chat_secretary_${name}`)
  assert.deepEqual([...host.tools.keys()].sort(), names.toSorted())
  for (const name of names) assert.ok(host.log.includes(`info MCP tool registered: ${name}`), name)
  for (const { name, toolReferenceName, modelDescription } of manifest.contributes.languageModelTools) {
    assert.equal(toolReferenceName, `copilot_${name}`)
    assert.match(modelDescription, /\*\*Use this tool when:\*\*\n- .*\*\*Parameters:\*\*.*\*\*Returns:\*\*/s)
    assert.match(modelDescription, /\*\*Example usage scenarios:\*\*\n- With/)
  }
})

test('a request comes back in full', async () => {
  const { quoted, timestamp, request, ...rest } = await window.call('get_request', {
    sessionId: DEADLOCK,
    index: 2,
  })
  assert.deepEqual(rest, { success: true, sessionId: DEADLOCK, index: 2, totalRequests: 3 })
  assert.match(String(request), /\S/)
  assert.equal(typeof timestamp, 'number')
  assert.match(String(quoted), /data to read/)
})

const REFUSED: [string, unknown, string][] = [
  ['get_first_request', {}, 'No active dialog found'],
  ['get_request', { index: 1, sessionId: 'nobody' }, 'Session not found: nobody'],
  ['get_request', { sessionId: DEADLOCK }, 'Index parameter is required'],
  ['get_request', { sessionId: DEADLOCK, index: null }, 'Index parameter is required'],
  ['get_request', { sessionId: DEADLOCK, index: 0 }, 'Index must be 1 or greater'],
  ['get_request', { sessionId: DEADLOCK, index: -2 }, 'Index must be 1 or greater'],
  ['get_request', { sessionId: DEADLOCK, index: 'two' }, 'Index must be 1 or greater'],
  ['get_request', { sessionId: DEADLOCK, index: 9 }, 'Index 9 exceeds total requests (3)'],
  ['list_requests', { sessionId: 7 }, 'Session not found: 7'],
]
for (const [name, input, error] of REFUSED) {
  test(`${name} ${JSON.stringify(input)}: ${error}`, async () => {
    assert.deepEqual(await window.call(name, input), { success: false, error })
  })
}

test('nonsense is answered, not thrown', async () => {
  for (const input of [undefined, null, 'text', [], { chatIds: 3 }]) {
    const answer = await window.call('gather_chats', input)
    assert.equal(answer.isError, true)
    assert.equal(typeof answer.message, 'string')
  }
})

test('an error of ours says what to do next', async () => {
  const answer = await window.call('search_conversations', { query: '…' })
  assert.deepEqual([answer.isError, answer.code], [true, 'INVALID_QUERY'])
  assert.match(String(answer.hint), /word/)
})

test('a cancelled call ends at once', async () => {
  const tool = host.tools.get('chat_secretary_search_conversations')!
  const source = new CancellationTokenSource()
  const running = tool.invoke({ input: { query: 'deadlock' }, toolInvocationToken: undefined }, source.token)
  source.cancel()
  await assert.rejects(running, CancellationError)
  await assert.rejects(tool.invoke({ input: {} }, source.token), CancellationError)
})

describe('before a tool runs', () => {
  const prepare = async (capability: string, input: object) =>
    await host.tools.get(`chat_secretary_${capability}`)!.prepareInvocation({ input }, {})

  test('it says what it is about to do', async () => {
    for (const { name } of capabilities) {
      const { invocationMessage } = await prepare(name, {})
      assert.match(String(invocationMessage), /^[A-Z].{5,}/, name)
      assert.doesNotMatch(String(invocationMessage), /undefined|_/, name)
    }
  })

  test('one that writes asks, one that reads does not', async () => {
    const inputs: Record<string, object> = {
      export_chats: { path: 'x.md', chatIds: ['a'] },
      export_to_memory: { apply: true },
      import_from_memory: { apply: true },
    }
    for (const capability of capabilities) {
      const { name } = capability
      const { confirmationMessages } = await prepare(name, inputs[name] ?? {})
      assert.equal(confirmationMessages !== undefined, writes(capability), name)
    }
    const { confirmationMessages } = await prepare('export_to_memory', {})
    assert.equal(confirmationMessages, undefined, 'a diff is only shown')
  })

  test('what a model wants to write is shown as text, whatever it holds', async () => {
    const content = 'ends ```` here [x](command:rm)'
    const { confirmationMessages } = await prepare('append_context', { content })
    const { message } = confirmationMessages as { message: { value: string; isTrusted?: unknown } }
    assert.ok(message.value.includes(`\`\`\`\`\`markdown\n${content}\n\`\`\`\`\``))
    assert.equal(message.isTrusted, undefined)
  })

  test('what a model wants to write and is too long to be shown is said to be more', async () => {
    const shown = async (content: string) => {
      const { confirmationMessages } = await prepare('append_context', { content })
      return (confirmationMessages as { message: { value: string } }).message.value
    }
    assert.ok((await shown('x'.repeat(2_000))).endsWith('x\n```'))
    assert.ok((await shown('x'.repeat(3_234))).endsWith('x\n```\n… and 1234 more'))
  })
})

describe('in a window', () => {
  test('that is not trusted nothing is written', async () => {
    workspace.isTrusted = false
    try {
      const answer = await window.call('init_context', {})
      assert.deepEqual([answer.isError, answer.code], [true, 'WORKSPACE_NOT_TRUSTED'])
      assert.equal(fs.existsSync(path.join(window.workspace, 'context.md')), false)
    } finally {
      workspace.isTrusted = true
    }
  })

  test('without a folder the context tools say what they need', async () => {
    host.openFolder(undefined)
    try {
      const { code, hint } = await window.call('read_context', {})
      assert.equal(code, 'NO_FOLDER')
      assert.match(String(hint), /workspace/)
    } finally {
      host.openFolder(window.workspace)
    }
  })

  test('with a folder they work there', async () => {
    assert.equal((await window.call('init_context', { projectName: 'Shop' })).success, true)
    assert.match(fs.readFileSync(path.join(window.workspace, 'context.md'), 'utf8'), /Shop/)
  })
})

test('secrets are redacted, also where the person wants to see them: a model is not the person', async () => {
  const secret = 'ghp_R7kQ2mXw9LtB4vNcE8sY1jHf6UaZ3dPgTo5K'
  const id = '11111111-aaaa-4aaa-8aaa-111111111111'
  writeDialog(window.chats, id, [`my token is ${secret}`])
  const hidden = await window.call('get_request', { index: 1, sessionId: id })
  assert.match(String(hidden.request), /redacted/)
  host.settings['recollect.redact'] = false
  const still = await window.call('get_request', { index: 1, sessionId: id })
  assert.equal(still.request, hidden.request)
  host.settings['recollect.redact'] = true
})

test('an archive that cannot be opened is said so', async () => {
  await using other = await openWindow({ synced: false })
  host.settings['recollect.archiveFolder'] = path.join(other.folder, 'file')
  fs.writeFileSync(path.join(other.folder, 'file'), 'not a folder')
  host.configurationChanged?.({ affectsConfiguration: (name) => name === 'recollect.archiveFolder' })
  assert.deepEqual(await other.call('get_first_request', { sessionId: 'x' }), {
    success: false,
    error: 'Service temporarily unavailable',
  })
  const answer = await other.call('list_chats', {})
  assert.deepEqual([answer.isError, answer.code], [true, 'ARCHIVE_UNWRITABLE'])
  assert.match(String(answer.hint), /permissions/)
})
