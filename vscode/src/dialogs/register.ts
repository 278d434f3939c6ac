import * as vscode from 'vscode'
import type { Dialogs } from '../api.ts'
import type { Desk } from '../desk.ts'
import type { Filter } from './filter.ts'
import type { MoreNode, Node } from './nodes.ts'
import type { DialogsView } from './view.ts'

/** The view in the activity bar. Its code is loaded when it is first looked at. */
export function registerDialogs(context: vscode.ExtensionContext, desk: Desk): Dialogs {
  const dialogs = new LazyDialogs(desk)
  const view = vscode.window.createTreeView('recollect.dialogs', {
    treeDataProvider: dialogs,
    canSelectMany: true,
    showCollapseAll: true,
  })
  dialogs.view = view
  context.subscriptions.push(
    dialogs,
    view,
    view.onDidChangeVisibility(({ visible }) => void dialogs.seen(visible)),
    desk.onDidChange(() => void dialogs.seen(view.visible)),
    vscode.commands.registerCommand('recollect.refresh', () => dialogs.refresh()),
    vscode.commands.registerCommand('recollect.clearFilter', () => dialogs.narrow({})),
    vscode.commands.registerCommand('recollect.loadMore', ({ group }: MoreNode) =>
      dialogs.inner?.showMore(group),
    ),
  )
  if (view.visible) void dialogs.seen(true)
  return dialogs
}

class LazyDialogs implements Dialogs, vscode.Disposable {
  readonly onDidChangeTreeData: vscode.Event<Node | undefined>
  inner: DialogsView | undefined
  view: vscode.TreeView<Node> | undefined
  readonly #changed = new vscode.EventEmitter<Node | undefined>()
  readonly #desk: Desk
  #loading: Promise<DialogsView> | undefined

  constructor(desk: Desk) {
    this.#desk = desk
    this.onDidChangeTreeData = this.#changed.event
  }

  get selection(): readonly Node[] {
    return this.view?.selection ?? []
  }

  async getChildren(node?: Node): Promise<Node[]> {
    return await (await this.#load()).getChildren(node)
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (!this.inner) throw new Error('Asked for an item before there was any.')
    return this.inner.getTreeItem(node)
  }

  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    return await (await this.#load()).resolveTreeItem(item, node)
  }

  refresh(): void {
    if (this.inner) this.inner.refresh()
    else this.#changed.fire(undefined)
  }

  async narrow(filter: Filter): Promise<void> {
    const inner = await this.#load()
    inner.filter = filter
    if (this.view) this.view.message = inner.message
  }

  async seen(isSeen: boolean): Promise<void> {
    if (isSeen || this.inner) await (await this.#load()).follow(isSeen)
    if (isSeen) this.refresh()
  }

  dispose(): void {
    this.inner?.dispose()
    this.#changed.dispose()
  }

  async #load(): Promise<DialogsView> {
    this.#loading ??= import('./view.ts').then(({ DialogsView }) => {
      const inner = new DialogsView(this.#desk)
      inner.onDidChangeTreeData((node) => this.#changed.fire(node))
      this.inner = inner
      return inner
    })
    return await this.#loading
  }
}
