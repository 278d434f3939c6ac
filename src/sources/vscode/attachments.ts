import type { Attachment } from '../../model/chat.ts'
import { type Json, object, objects, string, words } from '../json.ts'
import { placeOf } from './uri.ts'

/** What was attached to a request: where it is and what a person would read in it, never its bytes. */
export function attachmentsOf(variableData: unknown): Attachment[] {
  return objects(object(variableData)?.variables).map((variable) => {
    const type = words(variable.kind) ?? 'variable'
    const value = variable.value ?? objects(variable.values)[0]?.value
    const place = type === 'image' ? placeOf(objects(variable.references)[0]?.reference) : placeOf(value)
    return {
      name: words(variable.name) ?? place?.name ?? type,
      type,
      path: place?.path,
      url: place?.url,
      mimeType: words(variable.mimeType),
      bytes: bytesOf(value),
      text: textOf(type, variable, value),
    }
  })
}

const TEXT_FIELDS = new Map([
  ['paste', 'code'],
  ['diagnostic', 'problemMessage'],
  ['element', 'innerText'],
])

function textOf(type: string, variable: Json, value: unknown): string | undefined {
  const field = TEXT_FIELDS.get(type)
  if (field) return words(variable[field])
  switch (type) {
    case 'terminalCommand':
      return words([variable.command, variable.output].filter((text) => words(text)).join('\n'))
    case 'debugVariable':
      return words([variable.expression, value].filter((text) => words(text)).join(' = '))
    case 'agentFeedback':
      return words(
        objects(variable.feedbackItems)
          .map((item) => string(item.text))
          .filter((text) => text)
          .join('\n'),
      )
    case 'string':
    case 'generic':
      return words(value)
    default:
      return undefined
  }
}

/** Pictures are kept as base64, in older files as an object with a key for each byte. */
function bytesOf(value: unknown): number | undefined {
  const bytes = object(value)
  const base64 = string(bytes?.$base64)
  if (base64 !== undefined) {
    const leftOut = /\.\.\.\[(\d+) bytes of base64 left out\]$/.exec(base64)
    const length = leftOut ? leftOut.index + Number(leftOut[1]) : base64.length
    return Math.floor(length * 0.75) - (leftOut ? 0 : (/=*$/.exec(base64)?.[0].length ?? 0))
  }
  if (bytes && Object.hasOwn(bytes, '0') && bytes.scheme === undefined) return Object.keys(bytes).length
  return undefined
}
