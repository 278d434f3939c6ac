import type * as vscode from 'vscode'
import type { Filter } from './dialogs/filter.ts'
import type { Node } from './dialogs/nodes.ts'
import type { Secretary } from './secretary.ts'

/** What `activate` gives to other extensions and to tests. */
export interface Api {
  /** The archive and all that can be done with it. */
  secretary(): Promise<Secretary>
  /** What the Dialogs view shows. */
  dialogs: Dialogs
}

export interface Dialogs extends vscode.TreeDataProvider<Node> {
  refresh(): void
  narrow(filter: Filter): Promise<void>
  /** What is picked in the view. */
  readonly selection: readonly Node[]
}
