/**
 * As much of VS Code's API as the extension uses: it remembers what is registered and shown, and
 * answers questions as a test has set.
 */
import path from 'node:path'
import { pathToFileURL } from 'node:url'

type Handler = (...given: never[]) => unknown

/** What tests look at, and set. */
export const host = {
  tools: new Map<string, FakeTool>(),
  commands: new Map<string, Handler>(),
  /** Commands that VS Code itself would have. */
  builtIn: new Map<string, (...given: never[]) => unknown>(),
  executed: [] as [command: string, ...given: unknown[]][],
  log: [] as string[],
  settings: {} as Record<string, unknown>,
  /** What was said to the person, and what they press. */
  messages: [] as string[],
  answer: undefined as string | undefined,
  saveTo: undefined as string | undefined,
  documents: [] as string[],
  clipboard: '',
  language: 'en',
  /** A bundle of l10n. */
  words: {} as Record<string, string>,
  remoteName: undefined as string | undefined,
  uiKind: 1,
  viewProvider: undefined as { resolveWebviewView(view: FakeView): Promise<void> } | undefined,
  /** What the person types into a box. */
  type: undefined as ((options: { value?: string }) => string | undefined) | undefined,
  panels: [] as FakePanel[],
  quickPicks: [] as FakeQuickPick[],
  /** Picks from a list by its label. */
  pick: undefined as ((items: { label: string }[]) => unknown) | undefined,
  participants: new Map<string, Handler>(),
  mcp: new Map<string, { provideMcpServerDefinitions(): McpStdioServerDefinition[] }>(),
  statusItems: [] as { text: string }[],
  configurationChanged: undefined as
    | ((event: { affectsConfiguration(name: string): boolean }) => void)
    | undefined,
  openFolder(folder: string | undefined) {
    workspace.workspaceFolders = folder
      ? [{ uri: Uri.file(folder), name: path.basename(folder), index: 0 }]
      : undefined
  },
}

interface FakeTool {
  invoke(options: object, token: object): Promise<LanguageModelToolResult>
  prepareInvocation(options: object, token: object): Promise<Record<string, unknown>>
}

const nothing = () => ({ dispose() {} })

export class Uri {
  readonly scheme: string
  readonly fsPath: string
  constructor(scheme: string, fsPath: string) {
    this.scheme = scheme
    this.fsPath = fsPath
  }
  static file(file: string) {
    return new Uri('file', file)
  }
  static joinPath(uri: Uri, ...parts: string[]) {
    return new Uri(uri.scheme, path.join(uri.fsPath, ...parts))
  }
  toString() {
    return this.scheme === 'file' ? pathToFileURL(this.fsPath).href : `${this.scheme}:${this.fsPath}`
  }
}

export class EventEmitter {
  readonly #listeners = new Set<(value: unknown) => void>()
  readonly event = (listener: (value: unknown) => void) => {
    this.#listeners.add(listener)
    return { dispose: () => this.#listeners.delete(listener) }
  }
  fire(value?: unknown) {
    for (const listener of this.#listeners) listener(value)
  }
  dispose() {
    this.#listeners.clear()
  }
}

export class CancellationError extends Error {}

export class CancellationTokenSource {
  readonly #emitter = new EventEmitter()
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#emitter.event }
  cancel() {
    this.token.isCancellationRequested = true
    this.#emitter.fire()
  }
}

export class MarkdownString {
  value: string
  isTrusted: unknown
  supportHtml = false
  constructor(value = '') {
    this.value = value
  }
  appendMarkdown(text: string) {
    this.value += text
    return this
  }
  appendText(text: string) {
    this.value += text.replace(/[\\`*_{}[\]()#+\-!~]/g, '\\$&')
    return this
  }
}

export class LanguageModelTextPart {
  readonly value: string
  constructor(value: string) {
    this.value = value
  }
}

export class LanguageModelToolResult {
  readonly content: LanguageModelTextPart[]
  constructor(content: LanguageModelTextPart[]) {
    this.content = content
  }
}

export const LanguageModelChatMessage = { User: (content: string) => ({ role: 'user', content }) }

export class McpStdioServerDefinition {
  readonly label: string
  readonly command: string
  readonly args: string[]
  readonly env: Record<string, string | null>
  readonly version: string
  cwd: Uri | undefined
  constructor(
    label: string,
    command: string,
    args: string[],
    env: Record<string, string | null>,
    version: string,
  ) {
    this.label = label
    this.command = command
    this.args = args
    this.env = env
    this.version = version
  }
}

export class ThemeIcon {
  readonly id: string
  constructor(id: string) {
    this.id = id
  }
}
export class ThemeColor extends ThemeIcon {}

export class TreeItem {
  readonly label: string
  readonly collapsibleState: number
  constructor(label: string, collapsibleState: number) {
    this.label = label
    this.collapsibleState = collapsibleState
  }
}
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 }
export const QuickPickItemKind = { Separator: -1, Default: 0 }
export const StatusBarAlignment = { Left: 1, Right: 2 }
export const ViewColumn = { Active: -1 }
export const ExtensionKind = { UI: 1, Workspace: 2 }
export const UIKind = { Desktop: 1, Web: 2 }
export const ConfigurationTarget = { Global: 1 }
export const ProgressLocation = { Notification: 15 }

export class FakePanel {
  title = ''
  visible = true
  active = true
  iconPath: unknown
  isDisposed = false
  readonly posted: unknown[] = []
  readonly #received = new EventEmitter()
  readonly #disposed = new EventEmitter()
  readonly #viewState = new EventEmitter()
  readonly webview = {
    html: '',
    options: {},
    cspSource: 'https://webview.test',
    asWebviewUri: (uri: Uri) => uri,
    onDidReceiveMessage: this.#received.event,
    postMessage: async (message: unknown) => this.posted.push(message),
  }
  readonly onDidDispose = this.#disposed.event
  readonly onDidChangeViewState = this.#viewState.event
  reveal() {}
  /** As when another tab is chosen, or this one. */
  turn(visible: boolean, active = visible) {
    Object.assign(this, { visible, active })
    this.#viewState.fire({ webviewPanel: this })
  }
  dispose() {
    this.isDisposed = true
    this.#disposed.fire()
  }
  /** As the page would. */
  send(message: unknown) {
    this.#received.fire(message)
  }
}

/** The view's page, as far as the extension sees it. */
export class FakeView extends FakePanel {
  override visible = true
  badge: { value: number } | undefined
  readonly #visibility = new EventEmitter()
  readonly onDidChangeVisibility = this.#visibility.event
  show() {}
  hide(isHidden = true) {
    this.visible = !isHidden
    this.#visibility.fire()
  }
  /** What the page shows now. */
  get body(): string {
    const sent = this.posted.findLast((each) => typeof each === 'object' && each && 'body' in each)
    return (sent as { body: string } | undefined)?.body ?? ''
  }
}

class FakeQuickPick {
  title = ''
  items: { label: string; detail?: string }[] = []
  selectedItems: { label: string }[] = []
  value = ''
  busy = false
  readonly #changed = new EventEmitter()
  readonly #accepted = new EventEmitter()
  readonly #hidden = new EventEmitter()
  readonly onDidChangeValue = this.#changed.event
  readonly onDidAccept = this.#accepted.event
  readonly onDidHide = this.#hidden.event
  show() {}
  hide() {
    this.#hidden.fire()
  }
  dispose() {}
  type(value: string) {
    this.value = value
    this.#changed.fire(value)
  }
  accept(...items: { label: string }[]) {
    this.selectedItems = items
    this.#accepted.fire()
  }
}

async function say(message: string) {
  host.messages.push(message)
  return host.answer
}

const write = (level: string) => (message: string) => void host.log.push(`${level} ${message}`)

export const window = {
  activeTextEditor: undefined,
  createOutputChannel: () => ({
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    debug: write('debug'),
    show() {},
    dispose() {},
  }),
  registerWebviewViewProvider: (_: string, provider: NonNullable<typeof host.viewProvider>) => {
    host.viewProvider = provider
    return nothing()
  },
  showInputBox: async (options: { value?: string }) => host.type?.(options),
  createStatusBarItem: () => {
    const item = { text: '', show() {}, hide() {}, dispose() {} }
    host.statusItems.push(item)
    return item
  },
  createQuickPick: () => {
    const box = new FakeQuickPick()
    host.quickPicks.push(box)
    return box
  },
  createWebviewPanel: () => {
    const panel = new FakePanel()
    host.panels.push(panel)
    return panel
  },
  registerWebviewPanelSerializer: nothing,
  setStatusBarMessage: (message: string) => void host.messages.push(message),
  showInformationMessage: say,
  showWarningMessage: say,
  showErrorMessage: say,
  showQuickPick: async (items: { label: string }[]) => host.pick?.(items),
  showSaveDialog: async () => (host.saveTo ? Uri.file(host.saveTo) : undefined),
  showTextDocument: async (document: { content?: string } | Uri) => document,
  withProgress: async (_: object, work: (progress: object, token: object) => Promise<unknown>) =>
    await work({ report() {} }, new CancellationTokenSource().token),
}

export const workspace = {
  workspaceFolders: undefined as { uri: Uri; name: string; index: number }[] | undefined,
  isTrusted: true,
  getWorkspaceFolder: () => undefined,
  getConfiguration: (section: string) => ({
    get: (name: string, otherwise: unknown) => host.settings[`${section}.${name}`] ?? otherwise,
    update: async (name: string, value: unknown) => {
      host.settings[`${section}.${name}`] = value
    },
  }),
  onDidChangeConfiguration: (listener: NonNullable<typeof host.configurationChanged>) => {
    host.configurationChanged ??= listener
    return nothing()
  },
  openTextDocument: async (document: { content: string }) => {
    host.documents.push(document.content)
    return document
  },
}

export const commands = {
  registerCommand: (name: string, run: Handler) => {
    host.commands.set(name, run)
    return nothing()
  },
  executeCommand: async (name: string, ...given: never[]) => {
    host.executed.push([name, ...given])
    const run = host.commands.get(name) ?? host.builtIn.get(name)
    return await run?.(...given)
  },
}

/** In the editor's language, from our own bundles. */
export const l10n = {
  t: (message: string, ...given: unknown[]) => {
    const said = host.words[message] ?? message
    return said.replace(/\{(\d+)\}/g, (_, n: string) => String(given[Number(n)]))
  },
}

export const env = {
  get language() {
    return host.language
  },
  get remoteName() {
    return host.remoteName
  },
  get uiKind() {
    return host.uiKind
  },
  clipboard: {
    writeText: async (text: string) => {
      host.clipboard = text
    },
  },
}

export const lm = {
  registerTool: (name: string, tool: FakeTool) => {
    host.tools.set(name, tool)
    return nothing()
  },
  registerMcpServerDefinitionProvider: (name: string, provider: never) => {
    host.mcp.set(name, provider)
    return nothing()
  },
}

export const chat = {
  createChatParticipant: (name: string, handler: Handler) => {
    host.participants.set(name, handler)
    return { iconPath: undefined, dispose() {} }
  },
}
