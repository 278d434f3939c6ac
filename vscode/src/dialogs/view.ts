import * as vscode from 'vscode'
import { type Desk, pathOf } from '../desk.ts'
import { findOrphans } from '../orphans.ts'
import { messageOf } from '../words.ts'
import { described, type Filter, isEmpty, passes } from './filter.ts'
import { chatItem, chatTooltip, groupItem, moreItem, previewed } from './item.ts'
import { assistantGroups, chatsOf, type Surroundings, workspaceGroups } from './lists.ts'
import { type ChatNode, type Group, type GroupNode, type Node, nameOf, referenceOf } from './nodes.ts'

const PAGE = 50
/** A first sync changes the archive all the time: the view is not drawn anew more often than this. */
const REDRAW_MS = 1_000
/** Folders are not moved every minute. */
const ORPHANS_MS = 60_000

/** The dialogs as a tree. Reads the archive when it is looked at, and follows it only while it is seen. */
export class DialogsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly onDidChangeTreeData: vscode.Event<Node | undefined>
  readonly #changed = new vscode.EventEmitter<Node | undefined>()
  readonly #desk: Desk
  readonly #shown = new Map<string, number>()
  #filter: Filter = {}
  #orphans: { at: number; chats: number; nodes: ChatNode[] } | undefined
  #redraw: NodeJS.Timeout | undefined
  #unfollow: (() => void) | undefined

  constructor(desk: Desk) {
    this.#desk = desk
    this.onDidChangeTreeData = this.#changed.event
  }

  get filter(): Filter {
    return this.#filter
  }

  set filter(filter: Filter) {
    this.#filter = filter
    this.#shown.clear()
    void vscode.commands.executeCommand('setContext', 'recollect.filtered', !isEmpty(filter))
    this.refresh()
  }

  /** What is said above the dialogs. */
  get message(): string | undefined {
    return isEmpty(this.#filter) ? undefined : `Only ${described(this.#filter)}`
  }

  refresh(): void {
    this.#orphans = undefined
    this.#changed.fire(undefined)
  }

  /** Follows the archive while someone looks. */
  async follow(isSeen: boolean): Promise<void> {
    this.#unfollow?.()
    this.#unfollow = undefined
    if (!isSeen) return
    try {
      const secretary = await this.#desk.secretary()
      secretary.syncing()
      this.#unfollow ??= secretary.news.changes.listen(() => this.#redrawSoon())
      // What changed before we listened was told to nobody.
      await secretary.news.changes.begun()
      this.#redrawSoon()
    } catch (error) {
      this.#desk.log.error(messageOf(error))
    }
  }

  showMore(group: Group): void {
    this.#shown.set(nameOf(group), this.#shownOf(group) + PAGE)
    this.#changed.fire(undefined)
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node && node.kind !== 'group') return []
    try {
      const around = await this.#around()
      return node ? await this.#inside(node.group, around) : await this.#groups(around)
    } catch (error) {
      this.#desk.log.error(messageOf(error))
      if (!node) say('failed')
      return []
    }
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (node.kind === 'group') return groupItem(node)
    return node.kind === 'more' ? moreItem(node) : chatItem(node)
  }

  async resolveTreeItem(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem> {
    if (node.kind !== 'chat') return item
    const secretary = await this.#desk.secretary()
    const sessionId = referenceOf(node.chat)
    const { firstRequest } = await secretary.ask('get_first_request', { sessionId }, this.#desk.caller())
    item.tooltip = chatTooltip(
      node,
      firstRequest === undefined ? undefined : previewed(node.chat, firstRequest),
    )
    return item
  }

  dispose(): void {
    clearTimeout(this.#redraw)
    this.#unfollow?.()
    this.#changed.dispose()
  }

  #redrawSoon(): void {
    this.#redraw ??= setTimeout(() => {
      this.#redraw = undefined
      this.#changed.fire(undefined)
    }, REDRAW_MS)
  }

  async #around(): Promise<Surroundings> {
    const secretary = await this.#desk.secretary()
    return {
      reader: secretary.reader(this.#desk.caller()),
      filter: this.#filter,
      folders: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => pathOf(uri)),
      ownChats: this.#desk.places.chats,
      leftOut: this.#desk.leftOut,
    }
  }

  async #groups(around: Surroundings): Promise<GroupNode[]> {
    const here = await this.#inside({ of: 'here' }, around)
    const folders = await workspaceGroups(around)
    const assistants = await assistantGroups(around)
    const orphans = await this.#orphanNodes(around)
    const groups: [Group, number][] = [
      [{ of: 'here' }, here.length],
      [{ of: 'workspaces' }, folders.length],
      [{ of: 'assistants' }, assistants.length],
      [{ of: 'orphans' }, orphans.length],
    ]
    const filled = groups.filter(([, size]) => size > 0)
    const isNew = filled.length === 0 && (await around.reader.chatCount()) === 0
    say(filled.length > 0 ? 'ready' : isNew ? 'empty' : 'filtered')
    return filled.map(([group, size]) => ({
      kind: 'group',
      group,
      ...(group.of === 'orphans' && { count: size }),
    }))
  }

  async #inside(group: Group, around: Surroundings): Promise<Node[]> {
    if (group.of === 'workspaces') return await workspaceGroups(around)
    if (group.of === 'assistants') return await assistantGroups(around)
    const shown = this.#shownOf(group)
    const chats: ChatNode[] =
      group.of === 'orphans'
        ? await this.#orphanNodes(around)
        : (await chatsOf(group, around, shown + 1)).map((chat) => ({ kind: 'chat', group, chat }))
    const page: Node[] = chats.slice(0, shown)
    return chats.length > shown ? [...page, { kind: 'more', group }] : page
  }

  async #orphanNodes({ reader, filter }: Surroundings): Promise<ChatNode[]> {
    const chats = await reader.chatCount()
    // A chat that has just been read may be one of them.
    const isOld = this.#orphans?.chats !== chats || Date.now() - this.#orphans.at > ORPHANS_MS
    if (!this.#orphans || isOld) {
      const found = await findOrphans(this.#desk.places, reader)
      const group: Group = { of: 'orphans' }
      const nodes = found.map(({ chat, orphan }): ChatNode => ({ kind: 'chat', group, chat, orphan }))
      this.#orphans = { at: Date.now(), chats, nodes }
    }
    const title = filter.title?.toLowerCase() ?? ''
    return this.#orphans.nodes.filter(
      ({ chat }) => passes(filter, chat) && chat.title.toLowerCase().includes(title),
    )
  }

  #shownOf(group: Group): number {
    return this.#shown.get(nameOf(group)) ?? PAGE
  }
}

function say(state: 'empty' | 'filtered' | 'failed' | 'ready'): void {
  void vscode.commands.executeCommand('setContext', 'recollect.state', state)
}
