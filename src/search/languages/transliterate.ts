/** How Russian letters are written in Latin ones: the usual way first, then what developers and other tables write. */
const LATIN_FOR: Record<string, string[]> = {
  а: ['a'],
  б: ['b'],
  в: ['v', 'w'],
  г: ['g', 'h'],
  д: ['d'],
  е: ['e', 'ye'],
  ж: ['zh', 'j'],
  з: ['z', 's'],
  и: ['i', 'y'],
  й: ['y', 'i', 'j'],
  к: ['k', 'c', 'ck'],
  л: ['l', 'll'],
  м: ['m'],
  н: ['n'],
  о: ['o'],
  п: ['p'],
  р: ['r'],
  с: ['s', 'c'],
  т: ['t', 'th'],
  у: ['u', 'oo'],
  ф: ['f', 'ph'],
  х: ['kh', 'h'],
  ц: ['ts', 'c'],
  ч: ['ch'],
  ш: ['sh'],
  щ: ['shch'],
  ъ: [''],
  ы: ['y'],
  ь: [''],
  э: ['e', 'a'],
  ю: ['yu', 'u', 'iu'],
  я: ['ya', 'ia', 'ja'],
  і: ['i'],
  ї: ['yi', 'i'],
  є: ['ye', 'ie', 'e'],
  ґ: ['g'],
}
const TOGETHER: [string, string[]][] = [
  ['кс', ['x', 'ks']],
  ['дж', ['j', 'g', 'dzh']],
  ['кв', ['qu', 'kv']],
  ['ай', ['i', 'ai', 'ay']],
  ['ей', ['ey', 'ei', 'a']],
]
const MOST = 48

/** What a name in Russian letters may be in Latin ones, the likeliest first. */
export function inLatin(word: string): string[] {
  let ways: { text: string; odd: number }[] = [{ text: '', odd: 0 }]
  for (let i = 0; i < word.length; ) {
    const two = TOGETHER.find(([letters]) => word.startsWith(letters, i))
    const choices = two?.[1] ?? LATIN_FOR[word[i]!]
    if (!choices) return []
    // How many ways off the usual one: those with the fewest are kept.
    ways = ways
      .flatMap(({ text, odd }) => choices.map((choice, way) => ({ text: text + choice, odd: odd + way })))
      .sort((a, b) => a.odd - b.odd)
      .slice(0, MOST)
    i += two ? two[0].length : 1
  }
  return ways.map(({ text }) => text)
}
