import { createHash } from 'node:crypto'
import type { Dice } from './dice.ts'
import { NOUNS, VERBS } from './words.ts'

/** A folder people work in: its names come up again and again, in all its chats. */
export interface Project {
  folder: string
  name: string
  branch: string
  /** The name VS Code gives its folder for this workspace. */
  storageId: string
  identifiers: string[]
  paths: string[]
  errors: string[]
  /** Outputs of the last tool calls, since tools are asked the same thing many times. */
  outputs: string[]
}

export function project(dice: Dice, number: number): Project {
  const name = `${dice.pick(NOUNS)}-${dice.pick(NOUNS)}-${number}`
  const folder = `/home/alex/work/${name}`
  return {
    folder,
    name,
    branch: dice.pick(['main', 'main', 'develop', `feature/${dice.pick(NOUNS)}-${dice.pick(NOUNS)}`]),
    storageId: createHash('md5').update(folder).digest('hex'),
    identifiers: Array.from({ length: 160 }, () => identifier(dice)),
    paths: Array.from({ length: 120 }, () => file(dice)),
    errors: Array.from({ length: 12 }, () => errorCode(dice)),
    outputs: [],
  }
}

function identifier(dice: Dice): string {
  const roll = dice.next()
  const noun = dice.pick(NOUNS)
  if (roll < 0.45) return dice.pick(VERBS) + upper(noun) + (dice.chance(0.5) ? upper(dice.pick(NOUNS)) : '')
  if (roll < 0.65) return upper(noun) + upper(dice.pick(NOUNS))
  if (roll < 0.85) return `${noun}_${dice.pick(NOUNS)}`
  return `${noun}_${dice.pick(NOUNS)}`.toUpperCase()
}

function file(dice: Dice): string {
  const extension = dice.pick(['ts', 'ts', 'ts', 'tsx', 'py', 'go', 'sql', 'json', 'md'])
  const folder = dice.chance(0.5) ? `${dice.pick(NOUNS)}/` : ''
  return `src/${dice.pick(NOUNS)}/${folder}${dice.pick(NOUNS)}-${dice.pick(VERBS)}.${extension}`
}

function errorCode(dice: Dice): string {
  const roll = dice.next()
  if (roll < 0.4) return `ERR_${dice.pick(NOUNS)}_${dice.pick(NOUNS)}`.toUpperCase()
  if (roll < 0.7) return `TS${1000 + dice.int(9000)}`
  return `${dice.pick(NOUNS).slice(0, 3).toUpperCase()}-${1000 + dice.int(99_000)}`
}

function upper(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
