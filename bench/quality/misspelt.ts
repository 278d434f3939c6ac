/** A mistake in one of the longer words: a letter left out, doubled, changed, or two swapped. */
export function misspelt(text: string, random: () => number): string {
  const words = text.split(' ')
  const long = words.flatMap((word, i) => (/^[A-Za-z]{5,}$/.test(word) ? [i] : []))
  if (long.length === 0) return text
  const at = long[Math.floor(random() * long.length)]!
  const word = words[at]!
  const i = 1 + Math.floor(random() * (word.length - 2))
  const letter = String.fromCharCode(97 + Math.floor(random() * 26))
  const kinds = [
    word.slice(0, i) + word.slice(i + 1),
    word.slice(0, i) + word[i] + word.slice(i),
    word.slice(0, i) + letter + word.slice(i + 1),
    word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2),
  ]
  words[at] = kinds[Math.floor(random() * kinds.length)]!
  return words.join(' ')
}
