import type { SavedSearch } from '../../src/archive/archive.ts'
import type { Content } from './dialogs/content.ts'
import type { Filter } from './dialogs/filter.ts'
import type { Grouping } from './dialogs/groups.ts'
import type { Secretary } from './secretary.ts'

/** What `activate` gives to other extensions and to tests. */
export interface Api {
  /** The archive and all that can be done with it. */
  secretary(): Promise<Secretary>
  /** What the Chats view shows. */
  dialogs: Dialogs
}

export interface Dialogs {
  content(): Promise<Content>
  refresh(): void
  narrow(filter: Filter): Promise<void>
  groupBy(grouping: Grouping): Promise<void>
  /** Searches in the view; an empty text goes back to all chats. */
  search(text: string): Promise<void>
  /** Runs a search that is kept in the archive. */
  openSaved(name: string): Promise<void>
  /** What the view searches for now, as it would be saved. */
  searchedFor(): Promise<SavedSearch['input'] | undefined>
  /** References of what is picked in the view. */
  readonly selection: readonly string[]
}
