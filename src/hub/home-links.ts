import type { RecollectError } from '../model/errors.ts'
import { openHome } from './home.ts'
import type { HelloOptions, Link } from './link.ts'

interface Home {
  link?: Link
  /** What was wrong when it was last tried, which is not tried again before then. */
  error?: RecollectError
  notBefore: number
  wait: number
}

const WAIT_MS = { first: 1_000, last: 60_000 }

/** The connections of one exchange to the homes of spaces. One that is in trouble does not hold the others up. */
export class HomeLinks {
  readonly #folder: string
  readonly #homes = new Map<string, Home>()
  #hear: (() => void) | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The connection that there is, or a new one, on which `begun` comes first. */
  async open(
    directory: Link | undefined,
    name: string,
    options: HelloOptions,
    begun: (link: Link) => Promise<void>,
  ): Promise<Link> {
    const home = this.#homes.get(name) ?? { notBefore: 0, wait: WAIT_MS.first }
    this.#homes.set(name, home)
    if (home.link) return home.link
    if (home.error && Date.now() < home.notBefore) throw home.error
    let link: Link | undefined
    try {
      link = await openHome(this.#folder, directory, name, options)
      await begun(link)
      if (this.#hear && !link.welcome.readOnly) await link.database.listen('recollect_hub', this.#hear)
    } catch (error) {
      await link?.database.close()
      await this.drop(name, error as RecollectError)
      throw error
    }
    this.#homes.set(name, { link, notBefore: 0, wait: WAIT_MS.first })
    void link.database.ended.then(() => {
      if (this.#homes.get(name)?.link !== link) return
      this.#homes.delete(name)
      this.#hear?.()
    })
    return link
  }

  /** What is wrong with a connection: it is given up, and tried again later. */
  async drop(name: string, error: RecollectError): Promise<void> {
    const { link, wait = WAIT_MS.first } = this.#homes.get(name) ?? {}
    const next = Math.min(wait * 2, WAIT_MS.last)
    this.#homes.set(name, { error, notBefore: Date.now() + wait, wait: next })
    await link?.database.close()
  }

  /** Hears of changes in all of them, those that are opened later too. */
  async listen(hear: () => void): Promise<void> {
    this.#hear = hear
    for (const { database, welcome } of this.all())
      if (!welcome.readOnly) await database.listen('recollect_hub', hear)
  }

  all(): Link[] {
    return [...this.#homes.values()].flatMap(({ link }) => link ?? [])
  }

  named(): [string, Link][] {
    return [...this.#homes].flatMap(([name, { link }]): [string, Link][] => (link ? [[name, link]] : []))
  }

  async close(): Promise<void> {
    const links = this.all()
    this.#homes.clear()
    for (const { database } of links) await database.close()
  }
}
