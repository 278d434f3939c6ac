import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as vscode from 'vscode'
import { ask, turnCopilotOn } from './copilot.ts'
import type { Say } from './model.ts'
import { type Api, call, recollect, testSince133, toolNamed } from './recollect.ts'
import { until } from './until.ts'
import { inWindow } from './window.ts'

const DEADLOCK = { sessionId: 'b6fb68b8-36d3-4357-8b35-71944dd9ba8f' }

async function set(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('recollect').update(name, value, vscode.ConfigurationTarget.Global)
}

suite('settings', () => {
  teardown(async () => {
    for (const name of ['archiveFolder', 'sources', 'redact', 'statusBar']) await set(name, undefined)
  })

  test('an archive that cannot be opened is said to be unavailable, and comes back', async () => {
    const file = path.join(os.tmpdir(), 'not-a-folder')
    fs.writeFileSync(file, '')
    await set('archiveFolder', file)
    const unavailable = { success: false, error: 'Service temporarily unavailable' }
    assert.deepEqual(await call('get_first_request', DEADLOCK), unavailable)
    assert.deepEqual(await call('get_request', { ...DEADLOCK, index: 1 }), unavailable)
    assert.deepEqual(await call('list_requests', DEADLOCK), unavailable)
    await set('archiveFolder', undefined)
    assert.equal((await call('get_first_request', DEADLOCK)).success, true)
  })

  test('another archive folder is another archive', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'other-archive-'))
    await set('archiveFolder', folder)
    const { secretary } = recollect().exports as Api
    assert.equal((await secretary()).folder, folder)
    await call('list_chats', {})
    assert.ok(fs.readdirSync(folder).length > 0)
  })

  test('an assistant can be left out', async () => {
    await set('sources', { 'claude-code': false })
    const { dialogs } = recollect().exports as Api
    await dialogs.groupBy('assistant')
    const labels = async () => (await dialogs.content()).groups.map(({ label }) => label)
    assert.ok(!(await labels()).includes('Claude Code'))
    await set('sources', undefined)
    assert.ok((await labels()).includes('Claude Code'))
    await dialogs.groupBy('date')
  })

  testSince133('secrets are kept from models, also where the person wants to see them', async () => {
    await turnCopilotOn()
    const token = `ghp_${'a1B2c3'.repeat(6)}`
    const asked = `Fetch the releases with the token ${token}`
    const rounds: Say[][] = [[{ tool: toolNamed('get_request'), input: { index: 1 } }], [{ text: 'Done.' }]]
    const hidden = await ask(asked, [...rounds])
    assert.match(hidden[1]?.results[0] ?? '', /Fetch the releases with the token/)
    assert.ok(!hidden[1]?.results[0]?.includes(token))
    await set('redact', false)
    const shown = await ask(asked, [...rounds])
    assert.match(shown[1]?.results[0] ?? '', /Fetch the releases with the token/)
    assert.ok(!shown[1]?.results[0]?.includes(token))
  })

  test('the status bar item can be hidden', async () => {
    const shown = async () => (await inWindow.texts('.statusbar-item[id^="recollect"]')).length > 0
    await until('the item', shown)
    await set('statusBar', false)
    await until('it to be hidden', async () => !(await shown()))
  })
})
