import { kindName, kinds, lineRecords, type Seen, type Survey, withDatabase } from '../coverage/survey.ts'
import { columnsOf } from '../foreign-db.ts'
import { object, objects, parsed, words } from '../json.ts'

const HISTORY = `turn user/Prompt user/ToolUseResults user/CancelledToolUses assistant/Response assistant/ToolUse`

export const survey: Survey = {
  used: kinds(`
    ${HISTORY} Prompt AssistantMessage ToolResults part/text part/toolUse part/toolResult
    user assistant tool_call tool_result
  `),
  ignored: kinds('turn_start turn_end usage_summary'),
  *records({ path: file, growth }, glance) {
    if (growth === 'database') {
      yield* historySurvey.records({ path: file, growth }, glance)
      return
    }
    for (const record of lineRecords(file, glance)) {
      const payload = object(record.payload)
      const parts = objects(object(record.data)?.content)
      const said = parts.some(({ kind, data }) => kind === 'text' && words(data))
      const isTyped =
        (record.kind === 'Prompt' && said) || (payload?.type === 'user' && words(payload.content))
      yield { kind: kindName(payload?.type ?? record.kind), turns: isTyped ? 1 : 0 }
      for (const { kind } of parts) yield { kind: kindName('part', kind) }
    }
  },
}

/** The database of the command line programs. */
export const historySurvey: Survey = {
  used: kinds(HISTORY),
  ignored: kinds(''),
  *records({ path: file }) {
    yield* withDatabase(file, function* (db) {
      for (const table of ['conversations_v2', 'conversations']) {
        if (!columnsOf(db, table).includes('value')) continue
        for (const row of db.prepare(`SELECT CAST(value AS TEXT) AS value FROM ${table}`).iterate())
          for (const turn of objects(object(parsed(row.value))?.history)) yield* turnOf(turn)
      }
    })
  },
}

function* turnOf(turn: Record<string, unknown>): Generator<Seen> {
  yield { kind: 'turn' }
  const content = object(object(turn.user)?.content) ?? {}
  for (const [kind, said] of Object.entries(content))
    yield { kind: kindName('user', kind), turns: words(object(said)?.prompt) ? 1 : 0 }
  for (const kind of Object.keys(object(turn.assistant) ?? {})) yield { kind: kindName('assistant', kind) }
}
