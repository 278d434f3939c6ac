import type { SQLInputValue } from 'node:sqlite'
import { hasHost, plainRepository } from '../../model/repository.ts'
import { hostName } from '../../platform/lock.ts'
import type { OriginFilter } from '../archive.ts'
import { folded, foldedFor } from './folded.ts'

/** Who asks for their own chats says `me`; for those that were read here, `this`, or the name of this machine. */
const ME = 'me'
const HERE = 'this'

/** SQL over the table `chat`: which repository, whose, from which machine. */
export function originTerms({
  repository,
  author,
  machine,
}: OriginFilter): [term: string, ...SQLInputValue[]][] {
  const terms: [string, ...SQLInputValue[]][] = []
  if (repository) {
    const plain = (plainRepository(repository) ?? repository.trim()).toLowerCase()
    if (!hasHost(plain)) terms.push([`(chat.repository_key = ? OR ${ENDS})`, plain, `/${plain}`, `/${plain}`])
    // Some assistants do not say which host it is on.
    else terms.push(['chat.repository_key IN (?, ?)', plain, plain.slice(plain.indexOf('/') + 1)])
  }
  if (author?.toLowerCase() === ME) terms.push([`(chat.author IS NULL OR chat.author IN (${OWN}))`])
  else if (author) terms.push(same('chat.author', author))
  if (machine?.toLowerCase() === HERE) terms.push(['chat.author IS NULL'])
  else if (machine && machine.toLowerCase() === hostName().toLowerCase())
    terms.push([`(chat.author IS NULL OR ${same('chat.machine', machine)[0]})`, folded(machine)])
  else if (machine) terms.push(same('chat.machine', machine))
  return terms
}

function same(column: string, name: string): [term: string, ...SQLInputValue[]] {
  const wanted = folded(name)
  return [`${foldedFor(wanted, column)} = ?`, wanted]
}

const ENDS = 'substr(chat.repository_key, -length(?)) = ?'
/** In a space of one's own there is nobody else. */
const OWN = `SELECT mine.author FROM chat AS mine JOIN hub_space ON hub_space.space = mine.space
  WHERE mine.space IS NOT NULL AND hub_space.kind = 'own'`
