/**
 * Hot path: decides from the first bytes of a line, before any JSON is parsed. Copies of API
 * requests, file snapshots and harness context make up most of a modern transcript.
 */
export function unwanted(line: Buffer): boolean {
  const start = line.toString('latin1', 0, HEAD)
  if (start.startsWith(TYPE_FIRST)) {
    const end = start.indexOf('"', TYPE_FIRST.length)
    if (end > 0 && !WANTED.has(start.slice(TYPE_FIRST.length, end))) return true
  }
  const attachment = start.indexOf(ATTACHMENT)
  if (attachment > 0) return !start.startsWith('queued_command"', attachment + ATTACHMENT.length)
  return start.indexOf(PROGRESS) > 0
}

/** The same, but keeps every record that may be a link between others. */
export function unlinked(line: Buffer): boolean {
  return line.toString('latin1', 0, 20).startsWith('{"type":"api-request')
}

const HEAD = 640
const TYPE_FIRST = '{"type":"'
const ATTACHMENT = '"attachment":{"type":"'
/** With its first field, so that no argument of a tool can be taken for it. */
const PROGRESS = '"type":"progress","data":{"type":"'
const WANTED = new Set([
  'user',
  'assistant',
  'system',
  'attachment',
  'custom-title',
  'ai-title',
  'summary',
  'relocated',
  'pr-link',
  'queue-operation',
  'derived-from',
])
