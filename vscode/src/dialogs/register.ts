import * as vscode from 'vscode'
import type { Dialogs } from '../api.ts'
import type { Backend } from '../backend.ts'
import type { Content } from './content.ts'
import type { Filter } from './filter.ts'
import type { Grouping } from './groups.ts'
import type { ChatList } from './list.ts'
import type { Pane } from './pane.ts'

const VIEW = 'recollect.dialogs'

/** The view in the activity bar. Its code is loaded when it is first looked at. */
export function registerDialogs(context: vscode.ExtensionContext, backend: Backend): Dialogs {
  const dialogs = new LazyDialogs(backend, context.workspaceState)
  const command = (name: string, run: () => unknown) =>
    vscode.commands.registerCommand(`recollect.${name}`, run)
  context.subscriptions.push(
    dialogs,
    vscode.window.registerWebviewViewProvider(VIEW, dialogs),
    backend.onDidChange(() => void dialogs.follow()),
    command('refresh', () => dialogs.refresh()),
    command('clearFilter', () => dialogs.narrow({})),
    command('collapseAll', () => dialogs.closeAll()),
    command('searchInView', () => dialogs.focusSearch()),
    command('groupByDate', () => dialogs.groupBy('date')),
    command('groupByWorkspace', () => dialogs.groupBy('workspace')),
    command('groupByAssistant', () => dialogs.groupBy('assistant')),
  )
  return dialogs
}

class LazyDialogs implements Dialogs, vscode.WebviewViewProvider, vscode.Disposable {
  readonly #backend: Backend
  readonly #memory: vscode.Memento
  #loading: Promise<ChatList> | undefined
  #list: ChatList | undefined
  #pane: Pane | undefined
  #view: vscode.WebviewView | undefined

  constructor(backend: Backend, memory: vscode.Memento) {
    this.#backend = backend
    this.#memory = memory
  }

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    const list = await this.#load()
    const { Pane } = await import('./pane.ts')
    const pane = new Pane(this.#backend, list, view)
    this.#pane = pane
    this.#view = view
    view.onDidChangeVisibility(() => void this.follow())
    view.onDidDispose(() => {
      pane.dispose()
      if (this.#view !== view) return
      this.#pane = this.#view = undefined
      void this.follow()
    })
    await this.follow()
  }

  get selection(): readonly string[] {
    return this.#pane?.selection ?? []
  }

  async content(): Promise<Content> {
    return await (await this.#load()).content()
  }

  refresh(): void {
    this.#list?.refresh()
  }

  async narrow(filter: Filter): Promise<void> {
    const list = await this.#load()
    list.narrow(filter)
  }

  async groupBy(grouping: Grouping): Promise<void> {
    const list = await this.#load()
    list.groupBy(grouping)
  }

  async search(text: string): Promise<void> {
    const list = await this.#load()
    list.search(text)
    await this.focusSearch(text)
  }

  async openSaved(name: string): Promise<void> {
    const list = await this.#load()
    await list.openSaved(name)
    await this.focusSearch(list.query)
  }

  async searchedFor() {
    return (await this.#load()).searchedFor
  }

  /** When it returns, the view has the focus: nothing that is opened next loses it again. */
  async focusSearch(query?: string): Promise<void> {
    await vscode.commands.executeCommand(`${VIEW}.focus`)
    await this.#pane?.focusSearch(query)
  }

  async closeAll(): Promise<void> {
    const list = await this.#load()
    await list.closeAll()
  }

  /** Only while it is seen. */
  async follow(): Promise<void> {
    await this.#list?.follow(this.#view?.visible === true)
  }

  dispose(): void {
    this.#pane?.dispose()
    this.#list?.dispose()
  }

  async #load(): Promise<ChatList> {
    this.#loading ??= import('./list.ts').then(({ ChatList }) => {
      this.#list = new ChatList(this.#backend, this.#memory)
      return this.#list
    })
    return await this.#loading
  }
}
