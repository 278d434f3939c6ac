import type { DatabaseSync } from 'node:sqlite'
import { EVENTS_IGNORED, EVENTS_USED, eventSeen } from '../coverage/copilot-events.ts'
import {
  documentIn,
  kindName,
  kinds,
  lineRecords,
  type Seen,
  type Survey,
  withDatabase,
} from '../coverage/survey.ts'
import { columnsOf } from '../foreign-db.ts'
import { type Json, list, object, objects, parsed, string, words } from '../json.ts'

const PARTS_USED = `
  part/text part/markdownContent part/markdownVuln part/inlineReference part/thinking
  part/toolInvocationSerialized part/autoModeResolution part/pullRequest part/confirmation
  part/elicitation part/elicitationSerialized part/questionCarousel part/planReview part/treeData
  part/textEditGroup part/notebookEditGroup part/codeblockUri part/externalEdit part/workspaceEdit
`
/** Buttons, progress and what only VS Code's own screen needs. */
const PARTS_IGNORED = `
  part/mcpServersStarting part/prepareToolInvocation part/progressMessage part/progressTask
  part/progressTaskSerialized part/progressTaskResult part/command part/undoStop part/warning
  part/clearToPreviousToolInvocation part/extensions part/move part/multiDiffData part/references
  part/codeCitation part/hook part/disabledClaudeHooks part/toolInvocation part/quotaExceeded part/changesSummary
`
const LOG_USED = `
  log/0 log/1 log/2 log/3 session/requests session/version session/sessionId session/creationDate
  session/lastMessageDate session/customTitle session/computedTitle session/repoData
  session/workingDirectory
`
const LOG_IGNORED = `
  session/inputState session/responderUsername session/requesterUsername session/initialLocation
  session/requesterAvatarIconUri session/responderAvatarIconUri session/isImported session/hasPendingEdits
  session/pendingRequests session/mode session/selectedModel session/isNew session/history
  session/welcomeMessage session/providerId session/location session/workspaceFolders session/inputPlaceholder
`

export const survey: Survey = {
  used: kinds(`${EVENTS_USED} ${PARTS_USED} ${LOG_USED}`),
  ignored: kinds(`${EVENTS_IGNORED} ${PARTS_IGNORED} ${LOG_IGNORED}`),
  *records({ path: file, growth }, glance) {
    const said = new Set<string>()
    if (growth === 'database') {
      yield* withDatabase(file, (db) => storedSeen(db, said))
      return
    }
    if (growth === 'whole') yield* sessionSeen(object(documentIn(file, glance)) ?? {}, said)
    else if (/[\\/]transcripts[\\/]/i.test(file))
      for (const record of lineRecords(file, glance)) yield eventSeen(record)
    else for (const record of lineRecords(file, glance)) yield* entrySeen(record, said)
  },
}

/** A session as one document: what an export is, too. */
export function* sessionSeen(session: Json, said: Set<string>): Generator<Seen> {
  for (const field of Object.keys(session)) yield { kind: kindName('session', field) }
  for (const request of objects(session.requests)) yield* requestSeen(request, said)
}

/** The sessions of before 1.99, one value for all of a workspace. */
function* storedSeen(db: DatabaseSync, said: Set<string>): Generator<Seen> {
  if (!columnsOf(db, 'ItemTable').includes('value')) return
  const query = "SELECT CAST(value AS TEXT) AS value FROM ItemTable WHERE key = 'interactive.sessions'"
  for (const session of objects(parsed(db.prepare(query).get()?.value))) yield* sessionSeen(session, said)
}

function* entrySeen(entry: Json, said: Set<string>): Generator<Seen> {
  yield { kind: kindName('log', entry.kind) }
  const [field, place, what] = list(entry.k)
  if (entry.kind === 0) yield* sessionSeen(object(entry.v) ?? {}, said)
  else if (typeof field === 'string') {
    yield { kind: kindName('session', field) }
    if (field !== 'requests') return
    if (place === undefined) for (const request of objects(entry.v)) yield* requestSeen(request, said)
    else if (what === 'response') for (const part of partsIn(entry)) yield { kind: partKind(part) }
  }
}

function partsIn({ k, v }: Json): unknown[] {
  return list(k).length > 3 ? [] : list(v)
}

function* requestSeen(request: Json, said: Set<string>): Generator<Seen> {
  const id = string(request.requestId) ?? `#${said.size}`
  const text = words(object(request.message)?.text) ?? words(request.message)
  const isTyped =
    text !== undefined &&
    request.isSystemInitiated !== true &&
    request.confirmation === undefined &&
    !said.has(id)
  if (isTyped) said.add(id)
  yield { kind: 'session/requests', turns: isTyped ? 1 : 0 }
  for (const part of list(request.response)) yield { kind: partKind(part) }
}

function partKind(part: unknown): string {
  if (typeof part === 'string') return 'part/text'
  return kindName('part', object(part)?.kind ?? 'text')
}
