import type { Answers } from '../../capabilities/index.ts'
import { commandOf } from '../../recall/evidence-in.ts'
import type { Reader } from '../../service/reader.ts'
import type { Ask } from '../call.ts'

/** Something that was run or asked for in a chat, and can be put on a command line. */
export interface Item {
  kind: 'command' | 'request'
  /** What is shown; a long one is cut. */
  text: string
  /** Where it stands, to be read whole from. */
  chat: string
  index: number
  at?: number
}

const CHATS = 15
const NEWEST = 6
const MOST = 200
const BESIDE = 20

export interface Items {
  find(words: string): Promise<Item[]>
  whole(item: Item): Promise<string>
}

/** What there is to choose from: without words the newest of this project, else of all. */
export function itemsOf(ask: Ask, reader: Reader, workspace: string): Items {
  return {
    async find(words) {
      return words.trim() === '' ? await newest() : await found(words)
    },
    async whole({ kind, chat, index, text }) {
      const message = await reader.message(chat, index)
      if (kind === 'request') return message.text.trim()
      const begun = text.split('… [', 1)[0] ?? text
      const commands = (message.toolCalls ?? []).flatMap((call) => commandOf(call) ?? [])
      return commands.find((command) => command.startsWith(begun)) ?? text
    },
  }

  async function newest(): Promise<Item[]> {
    const here = await ask('list_chats', { workspace, limit: NEWEST })
    const { chats } = here.chats.length > 0 ? here : await ask('list_chats', { limit: NEWEST })
    if (chats.length === 0) return []
    const names = chats.map(({ source, chatId }) => `${source}:${chatId}`)
    const [opened, evidence] = await Promise.all([
      Promise.all(names.map((name) => reader.open(name))),
      ask('collect_evidence', { chatIds: names, kinds: ['command'] }),
    ])
    const requests = opened.flatMap(({ chat, requests }) =>
      requests.map(({ index, preview, createdAt }) => ({
        kind: 'request' as const,
        text: preview,
        chat: `${chat.source}:${chat.id}`,
        index,
        ...(createdAt !== undefined && { at: createdAt }),
      })),
    )
    return [...commandsIn(evidence), ...requests].sort((a, b) => (b.at ?? 0) - (a.at ?? 0)).slice(0, MOST)
  }

  async function found(words: string): Promise<Item[]> {
    const [{ results }, evidence] = await Promise.all([
      ask('search_conversations', {
        intent_query: words,
        role_filter: ['user'],
        limit_chats: CHATS,
        limit_snippets_per_chat: 2,
        snippet_window: 120,
      }),
      ask('collect_evidence', { query: words, kinds: ['command'] }),
    ])
    const wanted = words.toLowerCase().match(/[^\s"]+/g) ?? []
    const holds = ({ text }: Item) => wanted.every((word) => text.toLowerCase().includes(word))
    const commands = commandsIn(evidence)
    const requests = results.flatMap(({ source, chatId, snippets }) =>
      snippets
        .filter((snippet) => snippet.source === 'content')
        .map(({ text, index, createdAt }) => ({
          kind: 'request' as const,
          text,
          chat: `${source}:${chatId}`,
          index,
          ...(createdAt !== null && { at: createdAt }),
        })),
    )
    // What was run in chats about it may be what is meant, though the words are not in it.
    const beside = commands.filter((item) => !holds(item)).slice(0, BESIDE)
    return [...commands.filter(holds), ...requests, ...beside].slice(0, MOST)
  }
}

/** A command that was run several times was run there last. */
function commandsIn({ evidence }: Answers['collect_evidence']): Item[] {
  return evidence.flatMap(({ value, where }) => {
    const last = where.at(-1)
    if (!last) return []
    const { chatId, index, createdAt } = last
    return [
      { kind: 'command', text: value, chat: chatId, index, ...(createdAt !== null && { at: createdAt }) },
    ]
  })
}
