import type * as vscode from 'vscode'
import type { Answers } from '../../../src/capabilities/index.ts'
import { referenceOf } from '../dialogs/groups.ts'
import { t } from '../words.ts'
import { dialogLink, trusted } from './links.ts'

type ChatResult = Answers['search_conversations']['results'][number]

/** What the model is given to answer from: one message of a chat each. */
export interface Passage {
  result: ChatResult
  role: string
  text: string
  index?: number
}

export function passagesOf(results: ChatResult[]): Passage[] {
  return results.flatMap((result) =>
    result.snippets.map(({ role, text, index, source }) => ({
      result,
      role,
      text,
      ...(source !== 'title' && { index }),
    })),
  )
}

/** Passes an answer on as it comes; `[2]` becomes a link that opens the second passage at its message. */
export class CitedStream {
  readonly #passages: Passage[]
  readonly #tell: (text: vscode.MarkdownString) => void
  #held = ''

  constructor(passages: Passage[], tell: (text: vscode.MarkdownString) => void) {
    this.#passages = passages
    this.#tell = tell
  }

  add(piece: string): void {
    const text = this.#held + piece
    // What may become a citation waits for its end.
    const open = /\[[\d,\s]{0,20}$/.exec(text)
    const to = open ? open.index : text.length
    this.#held = text.slice(to)
    this.#pass(text.slice(0, to))
  }

  end(): void {
    this.#pass(this.#held)
    this.#held = ''
  }

  #pass(text: string): void {
    if (text === '') return
    const linked = trusted()
    linked.appendMarkdown(
      text.replace(/\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\](?!\()/g, (_, numbers: string) =>
        numbers
          .split(',')
          .map((each) => this.#link(Number(each)))
          .join(' '),
      ),
    )
    this.#tell(linked)
  }

  #link(n: number): string {
    const passage = this.#passages[n - 1]
    if (!passage) return `\\[${n}: ${t('unverified')}\\]`
    const { source, chatId } = passage.result
    return `\\[${dialogLink(referenceOf({ source, id: chatId }), String(n), passage.index)}\\]`
  }
}
