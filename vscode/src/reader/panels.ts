import { randomBytes } from 'node:crypto'
import * as vscode from 'vscode'
import { z } from 'zod'
import { sourceName } from '../../../src/sources/names.ts'
import type { Desk } from '../desk.ts'
import { referenceOf } from '../dialogs/nodes.ts'
import { messageOf } from '../words.ts'
import { dialogBody, page } from './page.ts'

export const READER = 'recollect.reader'
/** So many messages at first, and so many more each time. */
const PAGE = 300

/** By window, then by dialog. */
const readers = new WeakMap<Desk, Map<string, Reader>>()

function openIn(desk: Desk): Map<string, Reader> {
  const open = readers.get(desk) ?? new Map<string, Reader>()
  readers.set(desk, open)
  return open
}

/** Opens a dialog to be read, or shows it again where it is open already. */
export async function openReader(desk: Desk, reference: string, index?: number): Promise<void> {
  const reader = (await desk.secretary()).reader(desk.caller())
  const known = await reader.archived(reference).catch(() => undefined)
  const name = known ? referenceOf(known) : reference
  const shown = openIn(desk).get(name)
  if (shown) return shown.reveal(index)
  const options = { enableFindWidget: true, ...webviewOptions(desk) }
  const panel = vscode.window.createWebviewPanel(READER, 'Dialog', vscode.ViewColumn.Active, options)
  await adopt(desk, panel, name, index)
}

/** A panel that VS Code kept over a restart. */
export async function restoreReader(desk: Desk, panel: vscode.WebviewPanel, state: unknown): Promise<void> {
  const { data } = z.object({ reference: z.string().max(1_000) }).safeParse(state)
  if (!data) return panel.dispose()
  panel.webview.options = webviewOptions(desk)
  await adopt(desk, panel, data.reference)
}

function webviewOptions(desk: Desk): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(desk.extension, 'media')] }
}

async function adopt(
  desk: Desk,
  panel: vscode.WebviewPanel,
  reference: string,
  index?: number,
): Promise<void> {
  const reader = new Reader(desk, panel, reference)
  openIn(desk).set(reference, reader)
  panel.onDidDispose(() => {
    openIn(desk).delete(reference)
    reader.dispose()
  })
  try {
    await reader.show(index)
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
    'showEarlier',
    'ready',
  ]),
})

/** One dialog on one page, kept up to date while it can be seen. */
class Reader implements vscode.Disposable {
  readonly #desk: Desk
  readonly #panel: vscode.WebviewPanel
  readonly #reference: string
  /** The index of the first message that is shown. */
  #from: number | undefined
  #shown = ''
  #scrollTo: number | undefined
  #unfollow: (() => void) | undefined

  constructor(desk: Desk, panel: vscode.WebviewPanel, reference: string) {
    this.#desk = desk
    this.#panel = panel
    this.#reference = reference
    const icon = (theme: string) => vscode.Uri.joinPath(desk.extension, 'media', `reader-${theme}.svg`)
    panel.iconPath = { light: icon('light'), dark: icon('dark') }
    panel.webview.onDidReceiveMessage((message: unknown) => void this.#answer(message))
    panel.onDidChangeViewState(() => void this.#follow())
  }

  async show(index?: number): Promise<void> {
    this.#scrollTo = index
    const { body, title } = await this.#render(index)
    const { webview } = this.#panel
    const media = (name: string) =>
      webview.asWebviewUri(vscode.Uri.joinPath(this.#desk.extension, 'media', name)).toString()
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

  reveal(index?: number): void {
    this.#panel.reveal()
    if (index !== undefined) void this.#update(index)
  }

  dispose(): void {
    this.#unfollow?.()
  }

  async #render(index?: number): Promise<{ body: string; title: string }> {
    const secretary = await this.#desk.secretary()
    const live = await secretary.reader(this.#desk.caller()).whole(this.#reference)
    this.#from = Math.min(this.#from ?? live.messages.length - PAGE, index ?? Number.POSITIVE_INFINITY)
    this.#panel.title = live.chat.title
    this.#shown = dialogBody(live, sourceName(live.chat.source), this.#from)
    return { body: this.#shown, title: live.chat.title }
  }

  /** Only what has changed is sent, so that reading is not disturbed. */
  async #update(index?: number): Promise<void> {
    const before = this.#shown
    const { body } = await this.#render(index)
    if (body === before && index === undefined) return
    await this.#panel.webview.postMessage({ body, ...(index !== undefined && { index }) })
  }

  async #follow(): Promise<void> {
    this.#unfollow?.()
    this.#unfollow = undefined
    if (!this.#panel.visible) return
    const { news } = await this.#desk.secretary()
    this.#unfollow = news.changes.listen(({ chats }) => {
      const isMeant = !chats || chats.some((chat) => referenceOf(chat) === this.#reference)
      if (isMeant) this.#update().catch((error: unknown) => this.#desk.log.warn(messageOf(error)))
    })
  }

  async #answer(message: unknown): Promise<void> {
    const { data } = asked.safeParse(message)
    if (!data) return
    if (data.do === 'ready') {
      await this.#panel.webview.postMessage({ reference: this.#reference, index: this.#scrollTo })
      this.#scrollTo = undefined
    } else if (data.do === 'showEarlier') {
      this.#from = (this.#from ?? 0) - PAGE
      await this.#update()
    } else await vscode.commands.executeCommand(`recollect.${data.do}`, this.#reference)
  }
}
