import * as vscode from 'vscode'
import type { Dialogs } from '../api.ts'
import type { Backend } from '../backend.ts'
import { shownSearch } from '../dialogs/saved.ts'
import { t } from '../words.ts'

/** Keeps what the view searches for, by a name: the page and the command line have it too. */
export async function saveSearch(backend: Backend, dialogs: Dialogs): Promise<void> {
  const input = await dialogs.searchedFor()
  if (!input) {
    void vscode.window.showInformationMessage(t('Search for something in the Chats view first.'))
    return
  }
  const name = await vscode.window.showInputBox({
    title: t('Save Search'),
    prompt: t('A name for this search. It is kept in the archive, for the page and the command line too.'),
    value: shownSearch({ name: '', input, savedAt: 0 }).words,
    ignoreFocusOut: true,
  })
  if (!name?.trim()) return
  const saved = await (await backend.secretary()).noter(backend.caller()).saveSearch(name, input)
  await dialogs.openSaved(saved.name)
}

/** Lists them; the chosen one is run in the view. */
export async function pickSavedSearch(backend: Backend, dialogs: Dialogs): Promise<void> {
  const name = await pickedName(backend)
  if (name === undefined) return
  await dialogs.openSaved(name)
}

/** The one that is named, or picked. */
export async function removeSearch(backend: Backend, dialogs: Dialogs, given: unknown): Promise<void> {
  const name = typeof given === 'string' ? given : await pickedName(backend)
  if (name === undefined) return
  await (await backend.secretary()).noter(backend.caller()).removeSearch(name)
  dialogs.refresh()
}

async function pickedName(backend: Backend): Promise<string | undefined> {
  const searches = await (await backend.secretary()).reader(backend.caller()).savedSearches()
  if (searches.length === 0) {
    void vscode.window.showInformationMessage(
      t('There are no saved searches yet. Search in the Chats view, then choose Save Search.'),
    )
    return undefined
  }
  const items = searches.map((search) => {
    const { name, about } = shownSearch(search)
    return { label: name, description: about }
  })
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Saved Searches'),
    matchOnDescription: true,
  })
  return chosen?.label
}
