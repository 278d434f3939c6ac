import { documentIn, kindName, kinds, lineRecords, type Seen, type Survey } from '../coverage/survey.ts'
import { type Json, object, objects, string, words } from '../json.ts'

export const survey: Survey = {
  used: kinds('session update rewind user gemini info warning error'),
  ignored: kinds(''),
  *records({ path: file, growth }, glance) {
    const isNested = !/[\\/]chats[\\/][^\\/]+$/.test(file)
    const counted = new Set<string>()
    const documents =
      growth === 'whole' ? [object(documentIn(file, glance)) ?? {}] : lineRecords(file, glance)
    for (const record of documents) yield* seenIn(record, counted, isNested)
  },
}

function* seenIn(record: Json, counted: Set<string>, isNested: boolean): Generator<Seen> {
  const update = object(record.$set)
  if (record.$rewindTo !== undefined) yield { kind: 'rewind' }
  else if (update || record.type === undefined) {
    const known = update || record.sessionId !== undefined
    yield { kind: known ? (update ? 'update' : 'session') : kindName(...Object.keys(record).slice(0, 2)) }
    for (const message of objects((update ?? record).messages)) yield* seenIn(message, counted, isNested)
  } else {
    const id = string(record.id) ?? ''
    const isNew = !counted.has(id)
    counted.add(id)
    yield { kind: kindName(record.type), turns: isNew && !isNested && isTyped(record) ? 1 : 0 }
  }
}

function isTyped({ type, content, displayContent }: Json): boolean {
  if (type !== 'user') return false
  const parts = typeof content === 'string' ? [{ text: content }] : objects(content)
  if (parts.some((part) => part.functionResponse !== undefined)) return false
  const said = (string(displayContent) ?? parts.map(({ text }) => string(text) ?? '').join('')).trim()
  return (
    words(said) !== undefined &&
    !said.includes('<state_snapshot>') &&
    !/^(<(session|hook)_context>|This is the Gemini CLI\. We are|Here is (the user's|a summary of changes in the user's) editor|System: Please continue|I ran the following shell)/.test(
      said,
    )
  )
}
