import { setImmediate as nextTurn } from 'node:timers/promises'
import { count } from '../format.ts'
import type { Library } from './library.ts'
import { hasAfter, hasBefore, matchFrom, type Place, type Reading, requestFrom } from './reading.ts'
import { type Action, lookOf, placeOf, type State } from './state.ts'

/** Ways through a chat of which only a part is here: what is missing is read on the way. */

interface Browser {
  readonly state: State
  readonly library: Pick<Library, 'edge'>
  do(action: Action): void
  tell(text: string, tone: 'good' | 'bad' | 'faint'): void
  more(reading: Reading, side: 'before' | 'after'): Promise<void>
}

export async function toEdge(browser: Browser, to: 'start' | 'end'): Promise<void> {
  const { reading } = browser.state
  const isRead = ['reader', 'preview'].includes(placeOf(browser.state))
  if (!reading || !isRead || !(to === 'start' ? hasBefore : hasAfter)(reading)) return
  browser.do({ do: 'read', reading: await browser.library.edge(reading, to) })
  browser.do({ do: 'edge', to })
}

export async function toRequest(browser: Browser, direction: 1 | -1): Promise<void> {
  const place = await seek(browser, direction, (reading) => requestFrom(reading, direction))
  if (place) browser.do({ do: 'go', to: place })
  else browser.tell(direction > 0 ? 'That was the last request.' : 'That was the first request.', 'faint')
}

/** The first one from here on; where there is none, from the beginning. */
export async function toFirstMatch(browser: Browser): Promise<void> {
  const { find, reading } = browser.state
  if (!find || !reading) return
  const here = { ...reading.top, row: reading.top.row - 1 }
  const place = (await match(browser, here, 1)) ?? (await matchFromStart(browser))
  if (place) browser.do({ do: 'go', to: place, match: true })
  else browser.tell(`“${find}” is not in this chat.`, 'faint')
}

export async function toNextMatch(browser: Browser, direction: 1 | -1): Promise<void> {
  const { find, reading, found } = browser.state
  const wanted = find ?? found?.words?.text
  if (!wanted || !reading) return browser.tell('Nothing to find yet: / asks for it.', 'faint')
  const place = await match(browser, reading.match ?? reading.top, direction)
  if (place) browser.do({ do: 'go', to: place, match: true })
  else browser.tell(`No more “${wanted}” that way.`, 'faint')
}

async function match(browser: Browser, from: Place, direction: 1 | -1): Promise<Place | undefined> {
  return await seek(browser, direction, (reading) =>
    matchFrom(reading, from, direction, lookOf(browser.state)),
  )
}

async function matchFromStart(browser: Browser): Promise<Place | undefined> {
  const { reading } = browser.state
  if (reading && hasBefore(reading))
    browser.do({ do: 'read', reading: await browser.library.edge(reading, 'start') })
  return await match(browser, { index: -1, row: -1 }, 1)
}

/** Looks for a place in what is here, then reads on; keys are answered in between. */
async function seek(
  browser: Browser,
  direction: 1 | -1,
  where: (reading: Reading) => Place | undefined,
): Promise<Place | undefined> {
  const id = browser.state.reading?.chat.id
  for (;;) {
    const { reading } = browser.state
    if (!reading || reading.chat.id !== id) return undefined
    const place = where(reading)
    if (place) return place
    if (direction > 0 ? !hasAfter(reading) : !hasBefore(reading)) return undefined
    browser.tell(`Looking further: ${count(reading.messages.length, 'message')} read …`, 'faint')
    await browser.more(reading, direction > 0 ? 'after' : 'before')
    if (browser.state.reading?.messages === reading.messages) return undefined
    await nextTurn()
  }
}
