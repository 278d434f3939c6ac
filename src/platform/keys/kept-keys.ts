import { createHash } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { RecollectError } from '../../model/errors.ts'
import { changeSmallFile, fileFailure, textOf } from '../change-file.ts'
import { log } from '../log.ts'
import { guardSecrets } from '../secrets/own.ts'
import { type Keychain, systemKeychain } from './keychain.ts'

const entry = z.object({
  where: z.enum(['keychain', 'file']),
  at: z.number(),
  /** The key itself, where there is no keychain. */
  key: z.string().optional(),
  /** As the system sealed it for this user. */
  sealed: z.string().optional(),
})
const contents = z.object({ keys: z.record(z.string(), entry).default({}) })
type Entry = z.output<typeof entry>

export type KeyPlace = Entry['where']

/** Keys of model providers that a person gave us: in the system's keychain, else in a file that only they can read. */
export class KeptKeys {
  readonly #folder: string
  readonly #keychain: Keychain | undefined
  readonly #read = new Map<string, { at: number; key: string }>()

  /** `null`: no keychain at all. */
  constructor(folder: string, keychain: Keychain | null | undefined = systemKeychain()) {
    this.#folder = folder
    this.#keychain = keychain ?? undefined
  }

  get #file(): string {
    return path.join(this.#folder, 'keys.json')
  }

  /** Where the next key would go. */
  get place(): string {
    return this.#keychain?.name ?? this.#file
  }

  get hasKeychain(): boolean {
    return this.#keychain !== undefined
  }

  /** Which are kept, without opening anything. */
  kept(): Map<string, KeyPlace> {
    return new Map(Object.entries(this.#entries()).map(([id, { where }]) => [id, where]))
  }

  /** The key itself; nothing where there is none or the keychain does not give it. */
  async key(id: string): Promise<string | undefined> {
    const entry = this.#entries()[id]
    if (!entry) return undefined
    const known = this.#read.get(id)
    if (known?.at === entry.at) return known.key
    const key = entry.key ?? (await this.#keychain?.read(this.#account(id), entry.sealed))
    if (!key) return undefined
    guardSecrets([key])
    this.#read.set(id, { at: entry.at, key })
    return key
  }

  /** `inFile`: even where there is a keychain. `isText`: words may do as well. */
  async keep(id: string, given: string, { inFile = false, isText = false } = {}): Promise<KeyPlace> {
    const key = checked(given, isText)
    guardSecrets([key])
    const entry = (inFile ? undefined : await this.#inKeychain(id, key)) ?? {
      where: 'file' as const,
      at: Date.now(),
      key,
    }
    // Two within a millisecond are two all the same.
    const at = (before: Entry | undefined) => Math.max(entry.at, (before?.at ?? 0) + 1)
    this.#change((keys) => ({ ...keys, [id]: { ...entry, at: at(keys[id]) } }))
    return entry.where
  }

  /** False where there was none. */
  async remove(id: string): Promise<boolean> {
    const entry = this.#entries()[id]
    if (!entry) return false
    if (entry.where === 'keychain') await this.#keychain?.remove(this.#account(id))
    this.#read.delete(id)
    this.#change(({ [id]: _, ...rest }) => rest)
    return true
  }

  /** Counts only when it comes back: some keychains say yes and keep nothing. */
  async #inKeychain(id: string, key: string): Promise<Entry | undefined> {
    if (!this.#keychain) return undefined
    try {
      const { sealed } = await this.#keychain.keep(this.#account(id), key)
      if ((await this.#keychain.read(this.#account(id), sealed)) !== key)
        throw new Error('it did not give back what it was given')
      return { where: 'keychain', at: Date.now(), sealed }
    } catch (error) {
      log('warn', `${this.#keychain.name} could not be used: ${(error as Error).message}`)
      return undefined
    }
  }

  /** Two archives of one person do not share keys. */
  #account(id: string): string {
    return `${id}-${createHash('sha256').update(path.resolve(this.#folder)).digest('hex').slice(0, 8)}`
  }

  #entries(): Record<string, Entry> {
    return entriesIn(this.#file, textIn(this.#file))
  }

  #change(changed: (keys: Record<string, Entry>) => Record<string, Entry>): void {
    changeSmallFile(this.#file, (text) => {
      return `${JSON.stringify({ keys: changed(entriesIn(this.#file, text)) }, null, 2)}\n`
    })
  }
}

function textIn(file: string): string | undefined {
  try {
    return textOf(file)
  } catch (error) {
    throw fileFailure(error, 'READ_ERROR', file)
  }
}

function entriesIn(file: string, text: string | undefined): Record<string, Entry> {
  if (text === undefined) return {}
  try {
    return contents.parse(JSON.parse(text)).keys
  } catch {
    throw new RecollectError(
      'INVALID_CONFIG',
      `${file} cannot be understood.`,
      'Remove it, then set the keys again: `recollect models set`.',
    )
  }
}

function checked(given: string, isText: boolean): string {
  const key = given.trim()
  if (isText && /^[^\p{Cc}]{1,4096}$/u.test(key)) return key
  if (/^[\x21-\x7e]{4,4096}$/.test(key)) return key
  throw new RecollectError(
    'INVALID_KEY',
    key === '' ? 'There is no key.' : 'This cannot be a key: it has spaces or signs that no key has.',
    'Copy it again from the website of the provider.',
  )
}
