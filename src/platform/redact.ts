import { redactJson } from './redact-json.ts'
import { SHORTEST } from './secrets/without.ts'

export { redactJson, redactJsonIn, secretsIn } from './redact-json.ts'
export { guardSecrets } from './secrets/own.ts'
export { mayHold, Seen } from './secrets/seen.ts'

/** Grows when rules are added: what was looked through by older ones is looked through again. */
export const RULES = 4

/**
 * Takes secrets out of text on its way out: to a screen, an agent, a file. The archive itself
 * keeps what was said. What has the form of a service's keys goes wherever it is; anything else
 * only where its name, its place or the sentence says that it is a secret, so that hashes, ids and
 * code survive. Before anything is cut: half of a key has no form.
 */
export function redact(text: string): string {
  return text.length < SHORTEST ? text : redactJson(text)
}
