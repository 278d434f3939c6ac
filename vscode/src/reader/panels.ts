import { randomBytes } from 'node:crypto'
import * as vscode from 'vscode'
import { z } from 'zod'
import { highlighter } from '../../../src/search/highlight.ts'
import { sourceName } from '../../../src/sources/names.ts'
import type { Backend } from '../backend.ts'
import { referenceOf } from '../dialogs/groups.ts'
import { messageOf, t } from '../words.ts'
import { broughtToFront, type OpenReader, openReaders } from './open-readers.ts'
import { dialogBody, page } from './page.ts'

const READER = 'recollect.reader'
/** So many messages at first, and so many more each time. */
const PAGE = 300

export interface Place {
  /** The message to begin at. */
  index?: number
  /** What was searched for: it is marked in the text. */
  words?: string
}

/** Opens a chat to be read, or shows it again where it is open already. */
export async function openReader(backend: Backend, reference: string, place: Place = {}): Promise<void> {
  const reader = (await backend.secretary()).reader(backend.caller())
  const known = await reader.archived(reference).catch(() => undefined)
  const name = known ? referenceOf(known) : reference
  const shown = openReaders(backend).get(name)
  if (shown instanceof Reader) return shown.reveal(place)
  const options = { enableFindWidget: true, ...webviewOptions(backend) }
  const panel = vscode.window.createWebviewPanel(READER, t('Chat'), vscode.ViewColumn.Active, options)
  await adopt(backend, panel, name, place)
}

/** A panel that VS Code kept over a restart. */
export async function restoreReader(
  backend: Backend,
  panel: vscode.WebviewPanel,
  state: unknown,
): Promise<void> {
  const { data } = z.object({ reference: z.string().max(1_000) }).safeParse(state)
  if (!data) return panel.dispose()
  panel.webview.options = webviewOptions(backend)
  await adopt(backend, panel, data.reference)
}

function webviewOptions(backend: Backend): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(backend.extension, 'media')] }
}

async function adopt(
  backend: Backend,
  panel: vscode.WebviewPanel,
  reference: string,
  place: Place = {},
): Promise<void> {
  const reader = new Reader(backend, panel, reference)
  openReaders(backend).set(reference, reader)
  panel.onDidDispose(() => {
    openReaders(backend).delete(reference)
    reader.dispose()
  })
  try {
    await reader.show(place)
  } catch (error) {
    panel.dispose()
    throw error
  }
}

/** What the page may ask for; anything else is not answered. */
const asked = z.object({
  do: z.enum([
    'copyRequest',
    'copyResumeCommand',
    'exportToContext',
    'exportMarkdown',
    'openSource',
    'pin',
    'unpin',
    'rename',
    'showEarlier',
    'ready',
  ]),
})

/** One chat on one page, kept up to date while it can be seen. */
class Reader implements OpenReader, vscode.Disposable {
  readonly reference: string
  readonly #backend: Backend
  readonly #panel: vscode.WebviewPanel
  /** The index of the first message that is shown. */
  #from: number | undefined
  #shown = ''
  #place: Place = {}
  #unfollow: (() => void) | undefined

  constructor(backend: Backend, panel: vscode.WebviewPanel, reference: string) {
    this.#backend = backend
    this.#panel = panel
    this.reference = reference
    const icon = (theme: string) => vscode.Uri.joinPath(backend.extension, 'media', `reader-${theme}.svg`)
    panel.iconPath = { light: icon('light'), dark: icon('dark') }
    panel.webview.onDidReceiveMessage((message: unknown) => void this.#answer(message))
    panel.onDidChangeViewState(() => {
      if (panel.active) broughtToFront(backend, this)
      this.#follow().catch((error: unknown) => this.#lost(error))
    })
  }

  get isSeen(): boolean {
    return this.#panel.visible
  }

  get isActive(): boolean {
    return this.#panel.active
  }

  close(): void {
    this.#panel.dispose()
  }

  async show(place: Place): Promise<void> {
    this.#place = place
    const { body, title } = await this.#render(place.index)
    const { webview } = this.#panel
    const media = (name: string) =>
      webview.asWebviewUri(vscode.Uri.joinPath(this.#backend.extension, 'media', name)).toString()
    const nonce = randomBytes(16).toString('base64url')
    const { cspSource } = webview
    webview.html = page(body, title, {
      cspSource,
      nonce,
      style: media('reader.css'),
      script: media('reader.js'),
    })
    await this.#follow()
  }

  reveal(place: Place): void {
    this.#panel.reveal()
    if (place.index === undefined && place.words === undefined) return
    this.#place = place
    void this.#update(place.index, true)
  }

  dispose(): void {
    this.#unfollow?.()
  }

  async #render(index?: number): Promise<{ body: string; title: string; marks: string[] }> {
    const secretary = await this.#backend.secretary()
    const live = await secretary.reader(this.#backend.caller()).whole(this.reference)
    this.#from = Math.min(this.#from ?? live.messages.length - PAGE, index ?? Number.POSITIVE_INFINITY)
    this.#panel.title = live.chat.title
    this.#shown = dialogBody(live, sourceName(live.chat.source), this.#from)
    this.#marks = markedWords(this.#place.words, live.messages)
    return { body: this.#shown, title: live.chat.title, marks: this.#marks }
  }

  /** What to mark, as it is written in the text. */
  #marks: string[] = []

  /** Only what has changed is sent, so that reading is not disturbed. */
  async #update(index?: number, isMoved = false): Promise<void> {
    const before = this.#shown
    const { body, marks } = await this.#render(index)
    if (body === before && !isMoved) return
    await this.#panel.webview.postMessage({ body, marks, ...(index !== undefined && { index }) })
  }

  async #follow(): Promise<void> {
    this.#unfollow?.()
    this.#unfollow = undefined
    if (!this.#panel.visible) return
    const { news } = await this.#backend.secretary()
    this.#unfollow = news.changes.listen(({ chats }) => {
      const isMeant = !chats || chats.some((chat) => referenceOf(chat) === this.reference)
      if (isMeant) this.#update().catch((error: unknown) => this.#lost(error))
    })
    // What changed before we listened, or while nobody looked, was told to nobody.
    await news.changes.begun()
    if (this.#shown) await this.#update()
  }

  /** What was forgotten, here or by another program, is not shown any longer. */
  #lost(error: unknown): void {
    this.#backend.log.warn(messageOf(error))
    const isGone = error instanceof Error && 'code' in error && error.code === 'SESSION_NOT_FOUND'
    if (isGone) this.close()
  }

  async #answer(message: unknown): Promise<void> {
    const { data } = asked.safeParse(message)
    if (!data) return
    if (data.do === 'ready') {
      const { index } = this.#place
      await this.#panel.webview.postMessage({ reference: this.reference, index, marks: this.#marks })
    } else if (data.do === 'showEarlier') {
      this.#from = (this.#from ?? 0) - PAGE
      await this.#update()
    } else await vscode.commands.executeCommand(`recollect.${data.do}`, this.reference)
  }
}

const MOST_MARKED = 100
const MOST_LOOKED_AT = 4_000_000

/** The words of a search in every form that the chat has them in. */
function markedWords(words: string | undefined, messages: { text: string }[]): string[] {
  if (!words?.trim()) return []
  const find = highlighter(words)
  const found = new Set<string>()
  let looked = 0
  for (const { text } of messages) {
    looked += text.length
    if (found.size >= MOST_MARKED || looked > MOST_LOOKED_AT) break
    for (const [start, end] of find(text)) found.add(text.slice(start, end).toLowerCase())
  }
  return [...found]
}
