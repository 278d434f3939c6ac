import * as vscode from 'vscode'
import type { Answers } from '../../../src/capabilities/index.ts'
import { RecollectError } from '../../../src/model/errors.ts'
import { explained } from '../../../src/search/explained.ts'
import { sourceName } from '../../../src/sources/names.ts'
import type { Desk } from '../desk.ts'
import { referenceOf } from '../dialogs/nodes.ts'
import { openReader } from '../reader/panels.ts'
import type { Secretary } from '../secretary.ts'
import { ago, messageOf } from '../words.ts'

/** Someone still typing is not asked to wait for what they have typed over already. */
const TYPING_MS = 120
const SHOWN = 30
const TITLE = 'Search Dialogs'

export interface PickedDialog {
  reference: string
  /** The message that was found. */
  index?: number
}

interface DialogItem extends vscode.QuickPickItem {
  dialog?: PickedDialog
}

/** The search box: results while you type; the chosen one opens where the words stand. */
export async function searchDialogs(desk: Desk, text?: unknown): Promise<void> {
  const found = await pickDialog(desk, typeof text === 'string' ? text : '')
  if (found) await openReader(desk, found.reference, found.index)
}

export async function pickDialog(desk: Desk, text = ''): Promise<PickedDialog | undefined> {
  const secretary = await desk.secretary()
  secretary.syncing()
  const box = vscode.window.createQuickPick<DialogItem>()
  box.title = TITLE
  box.placeholder = 'Words, or "a phrase"; without any, the latest dialogs'
  box.matchOnDescription = box.matchOnDetail = true
  box.value = text
  let timer: NodeJS.Timeout | undefined
  let asked = 0
  const look = async () => {
    const turn = ++asked
    box.busy = true
    const shown = shownFor(desk, secretary, box.value.trim())
    const { items, about = [] } = await shown.catch(
      (error: unknown): Shown => ({ items: [note(messageOf(error))] }),
    )
    // A later question may have been answered before.
    if (turn !== asked) return
    box.items = items
    // In the title: while one types, the editor hides separators, and moves items without the words down.
    box.title = [TITLE, ...about].join(' · ')
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

async function shownFor(desk: Desk, secretary: Secretary, query: string): Promise<Shown> {
  if (query === '') return { items: await latest(desk, secretary) }
  try {
    const answer = await found(desk, secretary, query)
    const { results, notes = [] } = answer
    const items = results.length > 0 ? results.map(itemOf) : [note(`Nothing is like “${query}”.`)]
    return { items, about: [...explained(answer), ...notes] }
  } catch (error) {
    if (!(error instanceof RecollectError)) throw error
    return { items: [note(error.message)] }
  }
}

/** As typed; where that stands nowhere, forgiving typos. */
async function found(desk: Desk, secretary: Secretary, query: string) {
  const ask = async (precision_mode: 'basic' | 'fuzzy') =>
    await secretary.ask(
      'search_conversations',
      { query, precision_mode, limit_chats: SHOWN, limit_snippets_per_chat: 1, snippet_window: 120 },
      desk.caller(),
    )
  const exact = await ask('basic')
  return exact.results.length > 0 ? exact : await ask('fuzzy')
}

async function latest(desk: Desk, secretary: Secretary): Promise<DialogItem[]> {
  const chats = await secretary.reader(desk.caller()).chats({}, { limit: SHOWN })
  if (chats.length === 0) return [note('Nothing has been read yet: run “Recollect: Sync Now”.')]
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

function itemOf({
  title,
  source,
  chatId,
  updatedAt,
  date,
  workspace,
  author,
  snippets,
}: ChatResult): DialogItem {
  const [snippet] = snippets
  return {
    label: title,
    description: [sourceName(source), author, updatedAt ? ago(updatedAt) : date].filter(Boolean).join(' · '),
    detail: snippet ? snippet.text.replace(/\s+/g, ' ') : workspace,
    alwaysShow: true,
    dialog: {
      reference: referenceOf({ source, id: chatId }),
      ...(snippet?.source !== 'title' && snippet?.index !== undefined && { index: snippet.index }),
    },
  }
}

function note(label: string): DialogItem {
  return { label, alwaysShow: true }
}
