import path from 'node:path'
import { z } from 'zod'
import { changeSmallFile, textOf } from '../platform/change-file.ts'
import { plainModel } from '../recall/prices.ts'

/** How many tokens models read at most, as their makers say; the first that fits counts. */
const KNOWN: [name: RegExp, tokens: number][] = [
  [/^claude-/, 200_000],
  [/^gpt-3\.5/, 16_385],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-4o|^chatgpt-4o|^gpt-4-turbo/, 128_000],
  [/^gpt-4(?!\.)/, 8_192],
  [/^gpt-5/, 272_000],
  [/^o[134]/, 200_000],
  [/^gemini-/, 1_048_576],
]

const contents = z.record(z.string(), z.number().positive())

/** How much each model reads: as it is known, and as refusals taught, which are kept beside the archive. */
export class ContextLimits {
  readonly #file: string
  #learned: Record<string, number> | undefined

  constructor(folder: string) {
    this.#file = path.join(folder, 'model-limits.json')
  }

  /** `told`: what its server says, or the person set. Nothing where nobody knows. */
  of(provider: string, model: string, told?: number): number | undefined {
    const learned = this.#known()[`${provider}/${model}`]
    const usual = KNOWN.find(([name]) => name.test(plainModel(model)))?.[1]
    const said = told ?? usual
    return learned !== undefined && said !== undefined ? Math.min(learned, said) : (learned ?? said)
  }

  learn(provider: string, model: string, tokens: number): void {
    this.#learned = { ...this.#known(), [`${provider}/${model}`]: tokens }
    try {
      changeSmallFile(this.#file, (text) => {
        const all = { ...parsed(text), [`${provider}/${model}`]: tokens }
        return `${JSON.stringify(all, null, 2)}\n`
      })
    } catch {
      // It holds for this process, and is learned again by the next.
    }
  }

  #known(): Record<string, number> {
    this.#learned ??= parsed(textOf(this.#file))
    return this.#learned
  }
}

function parsed(text: string | undefined): Record<string, number> {
  try {
    return contents.parse(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}

/** The limit that a refusal names, among the other numbers in it. */
export function limitIn(message: string): number | undefined {
  const plain = message.replaceAll(/(\d)[,_](?=\d{3})/g, '$1')
  const said =
    /> *(\d{3,9})(?: tokens)? maximum|\d \+ \d+ > (\d{3,9})|must be <= (\d{3,9})/.exec(plain) ??
    /(?:maximum|max|available|limit)[^\d]{0,60}?(\d{3,9})/i.exec(plain) ??
    /(?:context|window)[^\d]{0,40}?(\d{3,9})/i.exec(plain)
  const limit = Number(said?.slice(1).find((number) => number !== undefined))
  return limit >= 256 ? limit : undefined
}

/** About as many tokens as a text has: four letters each, fewer where a script has no short words. */
export function tokensIn(text: string): number {
  let wide = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x2ff) wide++
  return Math.ceil((text.length - wide) / 4 + wide * 0.8)
}
