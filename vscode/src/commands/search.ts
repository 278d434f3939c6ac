import * as vscode from 'vscode'
import type { Answers } from '../../../src/capabilities/index.ts'
import { RecollectError } from '../../../src/model/errors.ts'
import { explained } from '../../../src/search/explained.ts'
import { sourceName } from '../../../src/sources/names.ts'
import type { Backend } from '../backend.ts'
import { found } from '../dialogs/content.ts'
import { referenceOf } from '../dialogs/groups.ts'
import { openReader } from '../reader/panels.ts'
import type { Secretary } from '../secretary.ts'
import { ago, messageOf, t } from '../words.ts'

/** Someone still typing is not asked to wait for what they have typed over already. */
const TYPING_MS = 120
const SHOWN = 30
const title = () => t('Search Chats')

export interface PickedDialog {
  reference: string
  /** The message that was found. */
  index?: number
  /** What was searched for. */
  words?: string
}

interface DialogItem extends vscode.QuickPickItem {
  dialog?: PickedDialog
}

/** The search box: results while you type; the chosen one opens where the words stand. */
export async function searchDialogs(backend: Backend, text?: unknown): Promise<void> {
  const picked = await pickDialog(backend, typeof text === 'string' ? text : '')
  if (picked) await openReader(backend, picked.reference, picked)
}

export async function pickDialog(backend: Backend, text = ''): Promise<PickedDialog | undefined> {
  const secretary = await backend.secretary()
  secretary.syncing()
  const box = vscode.window.createQuickPick<DialogItem>()
  box.title = title()
  box.placeholder = t('Words or an "exact phrase"; leave empty for the latest chats')
  box.matchOnDescription = box.matchOnDetail = true
  box.value = text
  let timer: NodeJS.Timeout | undefined
  let asked = 0
  const look = async () => {
    const turn = ++asked
    box.busy = true
    const shown = shownFor(backend, secretary, box.value.trim())
    const { items, about = [] } = await shown.catch(
      (error: unknown): Shown => ({ items: [note(messageOf(error))] }),
    )
    // A later question may have been answered before.
    if (turn !== asked) return
    box.items = items
    // In the title: while one types, the editor hides separators, and moves items without the words down.
    box.title = [title(), ...about].join(' · ')
    box.busy = false
  }
  box.onDidChangeValue(() => {
    clearTimeout(timer)
    timer = setTimeout(() => void look(), TYPING_MS)
  })
  await look()
  return await new Promise((resolve) => {
    box.onDidAccept(() => {
      const [chosen] = box.selectedItems
      if (!chosen?.dialog) return
      resolve(chosen.dialog)
      box.hide()
    })
    box.onDidHide(() => {
      clearTimeout(timer)
      resolve(undefined)
      box.dispose()
    })
    box.show()
  })
}

interface Shown {
  items: DialogItem[]
  /** What was made of the words: corrections, translations, times. */
  about?: string[]
}

async function shownFor(backend: Backend, secretary: Secretary, query: string): Promise<Shown> {
  if (query === '') return { items: await latest(backend, secretary) }
  try {
    const answer = await found(secretary, backend.caller(), { query }, SHOWN)
    const { results, notes = [] } = answer
    const items =
      results.length > 0
        ? results.map((result) => itemOf(result, query))
        : [note(t('No results for “{0}”.', query))]
    return { items, about: [...explained(answer), ...notes] }
  } catch (error) {
    if (!(error instanceof RecollectError)) throw error
    return { items: [note(error.message)] }
  }
}

async function latest(backend: Backend, secretary: Secretary): Promise<DialogItem[]> {
  const chats = await secretary.reader(backend.caller()).chats({}, { limit: SHOWN })
  if (chats.length === 0) return [note(t('No chats have been read yet. Run “Recollect: Sync Now”.'))]
  return chats.map((chat) => ({
    label: chat.title,
    description: [sourceName(chat.source), chat.origin?.author, ago(chat.updatedAt)]
      .filter(Boolean)
      .join(' · '),
    detail: chat.workspace,
    alwaysShow: true,
    dialog: { reference: referenceOf(chat) },
  }))
}

type ChatResult = Answers['search_conversations']['results'][number]

function itemOf(
  { title, source, chatId, updatedAt, date, workspace, author, snippets }: ChatResult,
  words: string,
): DialogItem {
  const [snippet] = snippets
  return {
    label: title,
    description: [sourceName(source), author, updatedAt ? ago(updatedAt) : date].filter(Boolean).join(' · '),
    detail: snippet ? snippet.text.replace(/\s+/g, ' ') : workspace,
    alwaysShow: true,
    dialog: {
      reference: referenceOf({ source, id: chatId }),
      words,
      ...(snippet?.source !== 'title' && snippet?.index !== undefined && { index: snippet.index }),
    },
  }
}

function note(label: string): DialogItem {
  return { label, alwaysShow: true }
}
