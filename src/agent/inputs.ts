import { RecollectError } from '../model/errors.ts'
import { KeptKeys } from '../platform/keys/kept-keys.ts'

const LEAD = 'input-'
const NAME = /^[\w.-]{1,64}$/

/** What the person entered for `${input:…}` in mcp-servers.json: kept as keys are. */
export async function keptInputs(folder: string, keys = new KeptKeys(folder)): Promise<Map<string, string>> {
  const names = [...keys.kept().keys()].filter((id) => id.startsWith(LEAD))
  const values = await Promise.all(names.map((id) => keys.key(id)))
  return new Map(
    names.flatMap((id, at) => (values[at] ? [[id.slice(LEAD.length), values[at]] as const] : [])),
  )
}

export async function keepInput(folder: string, name: string, value: string): Promise<'keychain' | 'file'> {
  if (!NAME.test(name))
    throw new RecollectError(
      'INVALID_ARGUMENT',
      `"${name}" is not the name of an input.`,
      'Letters, digits, dots and dashes.',
    )
  return await new KeptKeys(folder).keep(`${LEAD}${name}`, value, { isText: true })
}
