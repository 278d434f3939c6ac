import { MEMORY_TARGETS, type MemoryTarget } from '../../context/memory-files.ts'
import { contextPlace, type FailureCode, type Place } from '../../context/place.ts'
import { RecollectError } from '../../model/errors.ts'
import { thisMachine } from '../../platform/machine.ts'
import { withArchive } from '../archive.ts'
import { askOnce, type CallOptions, readerOf, withGate } from '../call.ts'
import { bytes, count, tilde, wholeNumber } from '../format.ts'
import { oneLine, pad, paint, printable } from '../paint.ts'

interface Options extends CallOptions {
  workspace?: string
}

export async function read(options: Options & { last?: string; plain?: boolean; maxBytes?: string }) {
  const answer = await askOnce(options, 'read_context', {
    workspace: options.workspace,
    lastSessions: wholeNumber(options.last, 'last'),
    maxBytes: wholeNumber(options.maxBytes, 'max-bytes', 1) ?? Number.MAX_SAFE_INTEGER,
    format: options.plain ? 'plain' : 'markdown',
  })
  tell(options, answer, () => {
    const text = process.stdout.isTTY ? printable(answer.content) : answer.content
    process.stdout.write(text.endsWith('\n') || text === '' ? text : `${text}\n`)
  })
}

export async function append(words: string[], options: Options & { title?: string }) {
  const { workspace, title } = options
  const content = words.length > 0 ? words.join(' ') : await standardInput()
  if (content.trim() === '') {
    throw new RecollectError('INVALID_ARGUMENT', 'There is nothing to add.', 'Say it, or pipe it in.')
  }
  const answer = await askOnce(options, 'append_context', { workspace, content, title })
  tell(options, answer, () => {
    console.log(`Added to ${tilde(answer.path)} at ${answer.timestamp}.`)
    if (answer.redacted)
      console.log(
        `${count(answer.redacted, 'secret was', 'secrets were')} masked: others read this file. If it has to be there, write it with an editor.`,
      )
  })
}

export async function init(options: Options & { name?: string; description?: string }) {
  const { workspace, name, description } = options
  const given = { workspace, projectName: name, projectDescription: description }
  const answer = await askOnce(options, 'init_context', given)
  tell(options, answer, () => console.log(`Started ${tilde(answer.path)}.`))
}

export async function exportChat(chat: string, options: Options & { full?: boolean }) {
  const answer = await withGate(options, (ask) =>
    ask('export_conversation', {
      sessionId: chat,
      workspace: options.workspace,
      format: options.full ? 'full' : 'summary',
    }),
  )
  tell(options, answer, () => {
    const { title, messageCount } = answer.exported
    console.log(`${oneLine(title)} (${count(messageCount, 'message')}): ${answer.note}`)
  })
}

export async function summary(options: Options) {
  const answer = await askOnce(options, 'get_context_summary', { workspace: options.workspace })
  tell(options, answer, () => {
    const { size, lines, words, sessions } = answer.stats
    const { bold, dim } = paint(process.stdout)
    console.log(bold(tilde(answer.path)))
    console.log(
      `${bytes(size)}, ${count(lines, 'line')}, ${count(words, 'word')}, ${count(sessions, 'entry', 'entries')}`,
    )
    for (const { timestamp, preview } of answer.recentSessions)
      console.log(`${dim(timestamp)}  ${oneLine(preview)}`)
  })
}

export async function resume(chat: string | undefined, options: Options) {
  const { workspace } = options
  const answer = await withGate(options, (ask) => ask('get_resume_command', { workspace, sessionId: chat }))
  tell(options, answer, () => console.log(oneLine(answer.command)))
}

export async function toMemory(options: Options & { target?: string; apply?: boolean }) {
  const { workspace, apply } = options
  const target = targetNamed(options.target)
  const answer = await askOnce(options, 'export_to_memory', { workspace, target, apply })
  tell(options, answer, () => showDiff(answer, answer.path))
}

export async function fromMemory(options: Options & { from?: string; apply?: boolean }) {
  const { workspace, apply } = options
  const from = targetNamed(options.from)
  const answer = await askOnce(options, 'import_from_memory', { workspace, from, apply })
  tell(options, answer, () => showDiff(answer, answer.path))
}

export async function archive(options: Options & { keep?: string }) {
  const keepSessions = wholeNumber(options.keep, 'keep')
  const answer = await askOnce(options, 'archive_context', { workspace: options.workspace, keepSessions })
  tell(options, answer, () =>
    console.log(
      `${count(answer.archived, 'entry', 'entries')} moved to ${tilde(answer.archivePath)}, ${answer.kept} left.`,
    ),
  )
}

export async function check(options: Options) {
  const place = placeOf(options, 'READ_ERROR')
  const answer = await withArchive(options, (archive) => readerOf(archive, options).checkContext(place))
  tell(options, answer, () => {
    const { green, yellow, red } = paint(process.stdout)
    const colour = { unchanged: green, continued: yellow, changed: yellow, missing: red }
    if (answer.entries.length === 0) console.log('No entry was made from a chat or a file.')
    for (const { timestamp, title, source, state, edited } of answer.entries) {
      const note = edited ? ' (entry edited by hand)' : ''
      console.log(
        `${colour[state](pad(state, 9))}  ${timestamp}  ${oneLine(title)}  ${oneLine(source)}${note}`,
      )
    }
  })
}

/** The environment is always the real one, even where the chats are the sample's. */
function placeOf({ workspace }: Options, failure: FailureCode): Place {
  return contextPlace({ workspace, env: thisMachine().env }, failure)
}

function tell(options: Options, answer: unknown, show: () => void): void {
  if (options.json) console.log(JSON.stringify(answer))
  else show()
}

function showDiff({ diff, applied }: { diff: string; applied: boolean }, file: string): void {
  const { green, red, cyan } = paint(process.stdout)
  const colours = { '+': green, '-': red, '@': cyan }
  for (const line of diff.trimEnd().split('\n')) {
    const colour = colours[line[0] as '+'] ?? ((text: string) => text)
    if (diff) console.log(colour(printable(line)))
  }
  if (!diff) console.log(`${tilde(file)} is up to date.`)
  else
    console.log(applied ? `Written to ${tilde(file)}.` : 'Nothing was written yet: pass --apply to write it.')
}

function targetNamed(name: string | undefined): MemoryTarget | undefined {
  const known = MEMORY_TARGETS.find((target) => target === name)
  if (known || name === undefined) return known
  throw new RecollectError(
    'INVALID_ARGUMENT',
    `"${name}" is not known.`,
    `Known: ${MEMORY_TARGETS.join(', ')}.`,
  )
}

async function standardInput(): Promise<string> {
  if (process.stdin.isTTY) return ''
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
