import { randomBytes } from 'node:crypto'
import * as vscode from 'vscode'
import { z } from 'zod'
import type { Backend } from '../backend.ts'
import { sideOf } from '../side.ts'
import { tick } from '../ticks.ts'
import { messageOf, spoken, t } from '../words.ts'
import type { ChatList } from './list.ts'
import { listBody, listPage } from './list-page.ts'

const text = z.string().max(2_000)
const references = z.array(text).max(5_000)

/** What the page may ask for; anything else is not answered. */
const asked = z.union([
  z.object({ do: z.literal('ready') }),
  z.object({ do: z.literal('open'), reference: text, index: z.number().int().optional() }),
  z.object({ do: z.literal('select'), references }),
  z.object({ do: z.literal('turn'), group: text, isOpen: z.boolean() }),
  z.object({ do: z.literal('more'), group: text }),
  z.object({ do: z.literal('find'), text }),
  z.object({ do: z.literal('saved'), name: text }),
  z.object({ do: z.literal('removeSearch'), name: text }),
  z.object({
    do: z.literal('run'),
    command: z.enum(['pin', 'unpin', 'archive', 'unarchive', 'rename', 'forget', 'copyResumeCommand']),
    references: references.min(1),
  }),
  z.object({
    do: z.literal('press'),
    command: z.enum([
      'clearFilter',
      'search',
      'showStatus',
      'refresh',
      'syncNow',
      'openWalkthrough',
      'saveSearch',
    ]),
  }),
])

/** The page of the view: shows the list, and passes on what the person does. */
export class Pane implements vscode.Disposable {
  /** What is picked, by reference. */
  selection: readonly string[] = []
  readonly #backend: Backend
  readonly #list: ChatList
  readonly #view: vscode.WebviewView
  readonly #subscriptions: vscode.Disposable[]
  #shown = ''

  constructor(backend: Backend, list: ChatList, view: vscode.WebviewView) {
    this.#backend = backend
    this.#list = list
    this.#view = view
    const media = vscode.Uri.joinPath(backend.extension, 'media')
    const uri = (name: string) => view.webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString()
    view.webview.options = { enableScripts: true, localResourceRoots: [media] }
    this.#subscriptions = [
      view.webview.onDidReceiveMessage((message: unknown) => void this.#answer(message)),
      list.onDidChange(() => void this.show()),
    ]
    view.webview.html = listPage({
      cspSource: view.webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
      style: uri('list.css'),
      script: uri('list.js'),
      language: spoken(),
      query: list.query,
    })
  }

  /** Only what has changed is sent, so that nobody is disturbed. */
  async show(): Promise<void> {
    try {
      const content = await this.#list.content()
      const body = listBody(content)
      const waiting = content.groups
        .flatMap(({ rows }) => rows)
        .filter(({ status, archived }) => status === 'waiting' && !archived)
      const value = new Set(waiting.map(({ reference }) => reference)).size
      this.#view.badge = value > 0 ? { value, tooltip: t('{0} waiting for you', value) } : undefined
      // Where there are two machines, it is said whose chats these are.
      const side = sideOf(this.#backend)
      if (side) this.#view.title = t('Chats on {0}', side.name)
      if (body === this.#shown) return
      this.#shown = body
      await this.#view.webview.postMessage({ body })
    } catch (error) {
      this.#backend.log.warn(messageOf(error))
    }
  }

  /** Puts the cursor into the search box, in a view that is shown. */
  async focusSearch(query?: string): Promise<void> {
    await this.#view.webview.postMessage({ focus: 'search', ...(query !== undefined && { query }) })
  }

  dispose(): void {
    for (const each of this.#subscriptions) each.dispose()
  }

  async #openSaved(name: string): Promise<void> {
    await this.#list.openSaved(name)
    await this.#view.webview.postMessage({ query: this.#list.query })
  }

  async #answer(message: unknown): Promise<void> {
    const { data } = asked.safeParse(message)
    switch (data?.do) {
      case 'ready':
        tick('viewed')
        this.#shown = ''
        return await this.show()
      case 'open': {
        const words = this.#list.query
        await run('openDialog', data.reference, data.index, words || undefined)
        return
      }
      case 'select':
        this.selection = data.references
        return
      case 'turn':
        return this.#list.turn(data.group, data.isOpen)
      case 'more':
        return this.#list.showMore(data.group)
      case 'find':
        return this.#list.search(data.text)
      case 'saved':
        return await this.#openSaved(data.name)
      case 'removeSearch':
        await run('removeSearch', data.name)
        return
      case 'run':
        await run(data.command, data.references)
        return
      case 'press':
        await run(data.command)
    }
  }
}

async function run(command: string, ...given: unknown[]): Promise<unknown> {
  return await vscode.commands.executeCommand(`recollect.${command}`, ...given)
}
