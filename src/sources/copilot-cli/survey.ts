import { EVENTS_IGNORED, EVENTS_USED, eventSeen } from '../coverage/copilot-events.ts'
import {
  documentIn,
  kindName,
  kinds,
  lineRecords,
  type Seen,
  type Survey,
  withoutTags,
} from '../coverage/survey.ts'
import { type Json, object, objects, plain } from '../json.ts'

export const survey: Survey = {
  used: kinds(`${EVENTS_USED} history/user history/assistant history/tool history/copilot history/info`),
  ignored: kinds(`${EVENTS_IGNORED} history/system history/tool_call_requested history/tool_call_completed`),
  *records({ path: file, growth }, glance) {
    if (growth === 'whole') yield* historyIn(object(documentIn(file, glance)) ?? {})
    else for (const record of lineRecords(file, glance)) yield eventSeen(record)
  },
}

function* historyIn(document: Json): Generator<Seen> {
  const typed = objects(document.timeline).filter(
    ({ type, text }) => type === 'user' && !/^\//.test(String(text)),
  )
  for (const entry of objects(document.chatMessages)) {
    const said = entry.role === 'user' && withoutTags(plain(entry.content)) !== ''
    yield { kind: kindName('history', entry.role), turns: said && typed.length === 0 ? 1 : 0 }
  }
  yield { kind: 'history/user', turns: typed.length }
}
