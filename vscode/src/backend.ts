import * as vscode from 'vscode'
import type { Caller } from '../../src/service/caller.ts'
import { openFolder, type Places, placesOf } from './places.ts'
import type { Secretary } from './secretary.ts'
import { type Settings, settings } from './settings.ts'

/** What VS Code's known client takes of an answer. */
const ANSWER_CHARS = 20_000

/**
 * Where everything in this window gets the archive from. Opens it when it is first needed, and again
 * when the settings name another one.
 */
export class Backend implements vscode.Disposable {
  readonly places: Places
  /** Where the extension is installed. */
  readonly extension: vscode.Uri
  readonly log: vscode.LogOutputChannel
  /** It runs on the machine in front of the person, not beside the workspace. */
  readonly isUi: boolean
  /** Another archive, or other sources, are in use from now on. */
  readonly onDidChange: vscode.Event<void>
  readonly #changed = new vscode.EventEmitter<void>()
  readonly #context: vscode.ExtensionContext
  #secretary: Promise<Secretary> | undefined
  readonly #subscription: vscode.Disposable

  constructor(context: vscode.ExtensionContext, log: vscode.LogOutputChannel) {
    this.places = placesOf(context)
    this.extension = context.extensionUri
    this.isUi = context.extension.extensionKind === vscode.ExtensionKind.UI
    this.#context = context
    this.log = log
    this.onDidChange = this.#changed.event
    this.#subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      const names = ['archiveFolder', 'sources', 'sync']
      if (names.some((name) => event.affectsConfiguration(`recollect.${name}`))) void this.reopen()
    })
  }

  get settings(): Settings {
    return settings()
  }

  /** Ids of assistants that the settings switch off. */
  get leftOut(): string[] {
    const { sources } = this.settings
    return Object.keys(sources).filter((id) => sources[id] === false)
  }

  /** Whether something has used the archive in this window. */
  get isOpen(): boolean {
    return this.#secretary !== undefined
  }

  async secretary(): Promise<Secretary> {
    this.#secretary ??= this.#open().catch((error: unknown) => {
      this.#secretary = undefined
      throw error
    })
    return await this.#secretary
  }

  /** Who asks, when it is the person at this window and not one of its dialogs. */
  caller(): Caller {
    return { ...this.#asking(), kind: 'owner', reveal: !this.settings.redact }
  }

  /** Who asks, when it is a model: what it reads leaves the machine. */
  agent(): Caller {
    return { ...this.#asking(), kind: 'agent', budget: ANSWER_CHARS }
  }

  #asking() {
    // All folders of the window are the workspace; it works in the first.
    const folder = openFolder()
    const all = folder ? [folder, ...(vscode.workspace.workspaceFolders ?? [])] : []
    const roots = [...new Set(all.map(({ uri }) => pathOf(uri)))]
    return { client: 'vscode', assistant: 'vscode', ...(roots.length > 0 && { roots }) }
  }

  async reopen(): Promise<void> {
    const before = this.#secretary
    this.#secretary = undefined
    await before?.then((secretary) => secretary.close()).catch(() => {})
    this.#changed.fire()
  }

  dispose(): void {
    this.#subscription.dispose()
    void this.#secretary?.then((secretary) => secretary.close()).catch(() => {})
  }

  async #open(): Promise<Secretary> {
    const { openSecretary } = await import('./open.ts')
    return await openSecretary(this, this.#context)
  }
}

/** As chats name their workspace: a path, or `vscode-remote://…` where it is on another machine. */
export function pathOf(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.toString(true)
}
