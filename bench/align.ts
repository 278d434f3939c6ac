/**
 * How fast and how well shared passages are found: chats of made-up prose into which passages were
 * put that stand in several of them, word for word or reworded.
 *
 *   node bench/align.ts [chats] [messages per chat]
 */
import { align, type Said } from '../src/recall/align.ts'
import { type Dice, dice } from './corpus/dice.ts'
import { project } from './corpus/project.ts'
import { type Language, voice } from './corpus/prose.ts'

export interface Planted {
  messages: Said[]
  /** For each passage the messages that hold it, as `chat index`. */
  places: string[][]
}

export interface Quality {
  precision: number
  recall: number
}

/** Chats with passages that are shared by two to five of them; every third one is reworded. */
export function planted(
  chats: number,
  perChat: number,
  { seed = 1, languages = ['en', 'ru', 'zh'] as Language[] } = {},
): Planted {
  const luck = dice(seed)
  const voices = languages.map((language) => voice(language, luck))
  const about = project(luck, 1)
  const texts = Array.from({ length: chats }, () => {
    const speaker = luck.pick(voices)
    const topic = speaker.topic()
    return Array.from({ length: perChat }, () => speaker.write(80 + luck.int(700), topic, about))
  })
  const places: string[][] = []
  const used = new Set<string>()
  for (let n = 0; n < (chats * perChat) / 20; n++) {
    const speaker = luck.pick(voices)
    const passage = speaker.write(120 + luck.int(200), speaker.topic(), about)
    const where: string[] = []
    for (let copies = 2 + luck.int(4); copies > 0; copies--) {
      const chat = luck.int(chats)
      const index = luck.int(perChat)
      const place = `${chat} ${index}`
      if (used.has(place)) continue
      used.add(place)
      where.push(place)
      const said = n % 3 === 0 && where.length > 1 ? reworded(passage, luck) : passage
      const around = texts[chat]![index]!
      texts[chat]![index] = luck.chance(0.5) ? said : `${around}\n\n${said}\n\n${around.slice(0, 60)}`
    }
    places.push(where)
  }
  const messages = texts.flatMap((list, chat) =>
    list.map((text, index) => ({ chat, index, role: index % 2 === 0 ? 'user' : 'assistant', text })),
  )
  return {
    messages,
    places: places.filter((where) => new Set(where.map((each) => each.split(' ')[0])).size > 1),
  }
}

/** One word in ten is another or missing; case and punctuation change. */
function reworded(passage: string, luck: Dice): string {
  if (/[\u4e00-\u9fff]/.test(passage)) {
    return [...passage].map((character) => (luck.chance(0.06) ? '另' : character)).join('')
  }
  return passage
    .split(' ')
    .flatMap((word) => {
      if (luck.chance(0.06)) return ['somewhat']
      if (luck.chance(0.04)) return []
      return luck.chance(0.1) ? [word.toUpperCase()] : [word.replace(',', ' –')]
    })
    .join(' ')
}

/** By pairs of messages in different chats: found ones that were planted, planted ones that were found. */
export function qualityOf({ messages, places }: Planted, found: ReturnType<typeof align>): Quality {
  const pairs = (lists: string[][]) => {
    const all = new Set<string>()
    for (const list of lists)
      for (const a of list)
        for (const b of list) if (a < b && a.split(' ')[0] !== b.split(' ')[0]) all.add(`${a}|${b}`)
    return all
  }
  const wanted = pairs(places)
  const got = pairs(found.common.map(({ refs }) => refs.map(({ chat, index }) => `${chat} ${index}`)))
  const both = [...got].filter((pair) => wanted.has(pair)).length
  if (messages.length === 0) return { precision: 1, recall: 1 }
  return { precision: both / Math.max(1, got.size), recall: both / Math.max(1, wanted.size) }
}

if (import.meta.main) {
  const [chats = 20, perChat = 500] = process.argv.slice(2).map(Number)
  const made = planted(chats, perChat)
  const characters = made.messages.reduce((sum, { text }) => sum + text.length, 0)
  const times: number[] = []
  let found = align([])
  for (let round = 0; round < 3; round++) {
    const begun = performance.now()
    found = align(made.messages)
    times.push(performance.now() - begun)
  }
  const { precision, recall } = qualityOf(made, found)
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  console.log(`${chats} chats of ${perChat} messages, ${(characters / 1e6).toFixed(1)} million characters`)
  console.log(
    `first ${times[0]!.toFixed(0)} ms, warm ${Math.min(...times).toFixed(0)} ms; ${found.common.length} passages`,
  )
  console.log(`precision ${percent(precision)}, recall ${percent(recall)}`)
}
