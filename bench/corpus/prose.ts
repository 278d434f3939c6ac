import type { Dice } from './dice.ts'
import type { Project } from './project.ts'
import {
  CHINESE,
  ENGLISH,
  ENGLISH_ENDINGS,
  ENGLISH_SYLLABLES,
  HANZI,
  RUSSIAN,
  RUSSIAN_ENDINGS,
  RUSSIAN_SYLLABLES,
} from './words.ts'

export type Language = 'en' | 'ru' | 'zh'

/** Somebody who writes in one language. */
export interface Voice {
  /** Words that this chat keeps coming back to. */
  topic(): string[]
  /** As much about the topic as `length` characters of English can say. */
  write(length: number, topic: string[], project: Project): string
  title(topic: string[]): string
}

const VOCABULARY = 30_000

/** What assistants and people say all the time, so that some sentences stand in thousands of chats. */
const STOCK: Record<Language, string[]> = {
  en: [
    "I'll look at the file first.",
    'Let me run the tests.',
    'All tests pass now.',
    "That's a good question.",
    'Can you explain why?',
    'Go ahead.',
    'The change is small and safe.',
    'Here is what I found:',
    'Please fix it and add a test.',
    "Let me check how it's used elsewhere.",
  ],
  ru: [
    'Сначала посмотрю файл.',
    'Запускаю тесты.',
    'Все тесты проходят.',
    'Объясни, почему так.',
    'Да, сделай так.',
    'Вот что я нашёл:',
    'Исправь и добавь тест.',
    'Проверю, где это ещё используется.',
  ],
  zh: [
    '我先看一下文件。',
    '现在运行测试。',
    '测试全部通过。',
    '为什么会这样？',
    '好的，就这样改。',
    '分析如下：',
    '请修复并加上测试。',
    '再检查一下其他地方。',
  ],
}

export function voice(language: Language, dice: Dice): Voice {
  const make = maker(language, dice)
  const vocabulary = [
    { en: ENGLISH, ru: RUSSIAN, zh: CHINESE }[language],
    Array.from({ length: VOCABULARY }, make),
  ].flat()
  const [space, comma, stop] = language === 'zh' ? ['', '，', '。'] : [' ', ', ', '.']
  const rank = dice.zipf(vocabulary.length)
  const word = () => vocabulary[rank()]!

  /** One word in six is not common stock: the chat's own words, new ones, and what code is made of. */
  function special(topic: string[], project: Project): string {
    const roll = dice.next()
    if (roll < 0.62) return dice.pick(topic)
    if (roll < 0.74) return make()
    if (roll < 0.9) return `\`${dice.pick(project.identifiers)}\``
    if (roll < 0.94) return dice.pick(project.paths)
    if (roll < 0.975) return String(dice.int(dice.chance(0.5) ? 100 : 100_000))
    if (roll < 0.988) return dice.pick(project.errors)
    return dice.chance(0.3) ? dice.uuid() : dice.hex(7)
  }

  function sentence(topic: string[], project: Project): string {
    const length = 4 + dice.int(language === 'zh' ? 14 : 18)
    let text = capital(word())
    for (let i = 1; i < length; i++) {
      const piece = dice.next() < 0.845 ? word() : special(topic, project)
      text += (i > 2 && dice.next() < 0.07 ? comma : space) + piece
    }
    return text + stop
  }

  return {
    topic: () =>
      Array.from({ length: 24 }, (_, i) => (i % 3 === 0 ? make() : dice.pick(vocabulary).toLowerCase())),
    write(length, topic, project) {
      const enough = language === 'zh' ? length * 0.4 : length
      let text = dice.pick(STOCK[language])
      if (dice.chance(0.75)) text = sentence(topic, project)
      while (text.length < enough) {
        const roll = text.length > 300 ? dice.next() : 1
        text += (roll < 0.1 ? '\n\n' : roll < 0.2 ? '\n- ' : space) + sentence(topic, project)
      }
      return text
    },
    title: (topic) => capital([word(), ...topic.slice(0, 3), word()].join(space)),
  }
}

/** Makes up words that look like the language's own; they never run out. */
function maker(language: Language, dice: Dice): () => string {
  if (language === 'zh') {
    const rank = dice.zipf(HANZI.length)
    return () => HANZI[rank()]! + HANZI[rank()]! + (dice.chance(0.2) ? HANZI[rank()]! : '')
  }
  const [syllables, endings, longest] =
    language === 'en' ? [ENGLISH_SYLLABLES, ENGLISH_ENDINGS, 3] : [RUSSIAN_SYLLABLES, RUSSIAN_ENDINGS, 2]
  return () => {
    let word = ''
    for (let left = 2 + dice.int(longest); left > 0; left--) word += dice.pick(syllables)
    return word + dice.pick(endings)
  }
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
