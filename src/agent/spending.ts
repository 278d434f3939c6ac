import fs from 'node:fs'
import path from 'node:path'
import type { Usage } from '../model/chat.ts'
import { dayOf } from '../model/day.ts'
import { jsonLinesIn } from '../platform/json-lines.ts'

/** What was spent with one provider on one day. */
export interface Spent {
  provider: string
  tokens: number
  /** In US dollars, as far as prices are known. */
  cost: number
}

const FOLDER = 'spending'
const KEPT_DAYS = 62

/** What models cost, by day and provider: a line for each call of a model, in a file for each day. */
export class Spending {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = path.join(folder, FOLDER)
  }

  /** Not being able to write it down is no reason to fail a run. */
  note(provider: string, usage: Usage): void {
    const entry: Spent = { provider, tokens: tokensOf(usage), cost: usage.cost ?? 0 }
    try {
      fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
      const file = this.#file(today())
      if (!fs.existsSync(file)) this.#removeOld()
      fs.appendFileSync(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
    } catch {}
  }

  /** By provider. */
  on(day = today()): Spent[] {
    const sums = new Map<string, Spent>()
    for (const { provider, tokens, cost } of entriesIn(this.#file(day))) {
      const sum = sums.get(provider) ?? { provider, tokens: 0, cost: 0 }
      sums.set(provider, { provider, tokens: sum.tokens + tokens, cost: sum.cost + cost })
    }
    return [...sums.values()]
  }

  #file(day: string): string {
    return path.join(this.#folder, `${day}.jsonl`)
  }

  #removeOld(): void {
    const oldest = dayOf(Date.now() - KEPT_DAYS * 86_400_000)
    for (const name of fs.readdirSync(this.#folder))
      if (/^\d{4}-\d\d-\d\d\.jsonl$/.test(name) && name < oldest)
        fs.rmSync(path.join(this.#folder, name), { force: true })
  }
}

export function tokensOf({ input = 0, output = 0 }: Usage): number {
  return input + output
}

/** The person's own day. */
export function today(): string {
  return dayOf(new Date())
}

function entriesIn(file: string): Spent[] {
  return jsonLinesIn(file).flatMap(({ provider, tokens, cost }) =>
    typeof provider === 'string' ? [{ provider, tokens: Number(tokens) || 0, cost: Number(cost) || 0 }] : [],
  )
}
