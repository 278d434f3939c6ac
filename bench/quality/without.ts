import { weights } from '../../src/search/weights.ts'

/** Parts of search, and the numbers without which they do nothing. */
const PARTS: Record<string, (keyof typeof weights)[]> = {
  meaning: ['whole', 'words'],
  replies: ['reply'],
  translations: ['translated', 'translatedToo'],
  corrections: ['corrected'],
  names: ['name', 'wholeName'],
  pairs: ['pairs'],
  neighbours: ['before', 'after'],
  dates: [],
}

/** Takes parts of search away, to see what they are worth. Says whether dates are among them. */
export function takeAway(parts: string[]): boolean {
  for (const part of parts) {
    const names = PARTS[part]
    if (!names) throw new Error(`No part is called ${part}. There are: ${Object.keys(PARTS).join(', ')}`)
    for (const name of names) weights[name] = 0
  }
  return parts.includes('dates')
}
