import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type * as vscode from 'vscode'
import { syncOnce } from '../../../src/sync/once.ts'
import type { Api } from '../../src/api.ts'
import { activate } from '../../src/extension.ts'
import { CancellationTokenSource, FakeView, host, Uri } from './fake-vscode.ts'

const extension = path.join(import.meta.dirname, '..', '..')
const sample = path.join(extension, '..', 'sample')

export const manifest: {
  contributes: {
    commands: { command: string }[]
    languageModelTools: {
      name: string
      toolReferenceName: string
      modelDescription: string
      when: string
      inputSchema: { required?: string[] }
    }[]
  }
} = JSON.parse(fs.readFileSync(path.join(extension, 'package.json'), 'utf8'))

/** Chats of the sample. */
export const DEADLOCK = 'b6fb68b8-36d3-4357-8b35-71944dd9ba8f'
export const QUEUE = 'af628c56-3bfc-415b-900c-56a7e8410e8f'

export interface TestWindow extends AsyncDisposable {
  api: Api
  folder: string
  /** The folder that is open. */
  workspace: string
  /** VS Code's `User` folder. */
  user: string
  /** Where VS Code keeps this window's dialogs. */
  chats: string
  call(capability: string, input: unknown, options?: object): Promise<Record<string, unknown>>
  command(name: string, ...given: unknown[]): Promise<unknown>
}

/** The extension in a made-up window: real files, a real archive of the sample, a fake editor. */
export async function openWindow({ synced = true, extensionKind = 1 } = {}): Promise<TestWindow> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-window-'))
  const user = path.join(folder, 'Code', 'User')
  const storage = path.join(user, 'workspaceStorage', 'abcdef')
  const workspace = path.join(folder, 'shop')
  fs.mkdirSync(workspace)
  fs.cpSync(
    path.join(sample, '.config', 'Code', 'User'),
    path.join(folder, 'home', '.config', 'Code', 'User'),
    {
      recursive: true,
    },
  )
  fs.cpSync(path.join(sample, '.claude'), path.join(folder, 'home', '.claude'), { recursive: true })
  resetHost()
  host.settings['recollect.archiveFolder'] = path.join(folder, 'archive')
  host.settings['recollect.sync'] = 'off'
  host.openFolder(workspace)
  const before = { HOME: process.env.HOME, USERPROFILE: process.env.USERPROFILE }
  process.env.HOME = process.env.USERPROFILE = path.join(folder, 'home')
  const subscriptions: { dispose(): unknown }[] = []
  const kept = new Map<string, unknown>()
  const memory = {
    get: (key: string) => kept.get(key),
    update: async (key: string, value: unknown) => void kept.set(key, value),
  }
  const api = activate({
    subscriptions,
    extensionUri: Uri.file(extension),
    extension: { id: 'recollect.recollect-vscode', packageJSON: manifest, extensionKind },
    workspaceState: memory,
    storageUri: Uri.file(path.join(storage, 'recollect.recollect-vscode')),
    globalStorageUri: Uri.file(path.join(user, 'globalStorage', 'recollect.recollect-vscode')),
  } as unknown as vscode.ExtensionContext)
  const secretary = await api.secretary()
  if (synced) await syncOnce({ archive: secretary.archive, ...secretary.readable() })
  return {
    api,
    folder,
    workspace,
    user,
    chats: path.join(storage, 'chatSessions'),
    async call(capability, input, options = {}) {
      const tool = host.tools.get(`chat_secretary_${capability}`)
      if (!tool) throw new Error(`no tool for ${capability}`)
      const { token } = new CancellationTokenSource()
      const { content } = await tool.invoke({ input, toolInvocationToken: undefined, ...options }, token)
      return JSON.parse(content[0]?.value ?? '')
    },
    async command(name, ...given) {
      const run = host.commands.get(`recollect.${name}`)
      if (!run) throw new Error(`no command ${name}`)
      return await run(...(given as never[]))
    },
    async [Symbol.asyncDispose]() {
      for (const each of subscriptions.reverse()) each.dispose()
      await secretary.close()
      Object.assign(process.env, before)
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

function resetHost(): void {
  for (const map of [host.tools, host.commands, host.builtIn, host.participants, host.mcp]) map.clear()
  for (const list of [host.executed, host.log, host.messages, host.documents, host.panels, host.quickPicks])
    list.length = 0
  host.settings = {}
  host.answer = host.saveTo = host.pick = host.configurationChanged = undefined
  host.viewProvider = host.type = host.remoteName = undefined
  host.clipboard = ''
  host.language = 'en'
  host.words = {}
  host.uiKind = 1
}

/** Shows the view, as opening the side bar does. */
export async function openView(): Promise<FakeView> {
  const view = new FakeView()
  await host.viewProvider!.resolveWebviewView(view)
  view.send({ do: 'ready' })
  await until('the first look', () => view.posted.length)
  return view
}

/** A dialog as VS Code writes it: a log of changes. */
export function writeDialog(
  folder: string,
  id: string,
  requests: string[],
  { title = '', at = Date.now() } = {},
): string {
  fs.mkdirSync(folder, { recursive: true })
  const file = path.join(folder, `${id}.jsonl`)
  const session = {
    version: 3,
    sessionId: id,
    creationDate: at,
    responderUsername: 'GitHub Copilot',
    ...(title && { customTitle: title }),
    requests: requests.map((text, n) => requestOf(id, text, n, at)),
  }
  fs.writeFileSync(file, `${JSON.stringify({ kind: 0, v: session })}\n`)
  return file
}

export function requestOf(id: string, text: string, n: number, at: number): object {
  return {
    requestId: `request_${id}_${n}`,
    responseId: `response_${id}_${n}`,
    timestamp: at + n,
    message: { text },
    response: [{ value: `Answer to ${text}` }],
    modelState: { value: 1, completedAt: at + n },
  }
}

export async function until<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`waited 60 s for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
