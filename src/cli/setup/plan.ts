import fs from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { refuseOtherEncodings } from '../../context/bytes.ts'
import { unifiedDiff } from '../../context/diff.ts'
import { RecollectError } from '../../model/errors.ts'
import { changeFile, fileFailure } from '../../platform/change-file.ts'
import { withoutSecrets } from '../../service/outgoing.ts'
import { placeOf } from './client-file.ts'
import type { Client } from './clients.ts'
import { editsTo, newEntry, type Shape } from './entry.ts'
import { type Format, isTable, Malformed, valueAt } from './format.ts'
import { difference, type SetupRecord, type SetupRecords, sha256, undone } from './record.ts'

export interface Target {
  client: Client
  /** Whose file it is, where a client has several. */
  label?: string
  file: string
  /** A project's file is for others to read as well. */
  shared: boolean
  /** The name of our entry. */
  name: string
}

type State = 'not set up' | 'set up' | 'set up differently'

/** A change that was thought through, and is not done yet. */
export interface Plan {
  target: Target
  /** Where a link leads. */
  real: string
  state: State
  action: 'add' | 'change' | 'remove' | 'none'
  before: string | undefined
  /** Undefined: there shall be no file. */
  after: string | undefined
  record?: SetupRecord
}

const MAX_BYTES = 50_000_000

/** What puts our entry in, or right. */
export function planSetup(target: Target, shapeFor: (entry: unknown) => Shape): Plan {
  const { client, name } = target
  const { real, before } = fileOf(target)
  const text = before ?? ''
  const at = placeOf(client, name)
  const entry = valueAt(parsed(target, text), at)
  const shape = shapeFor(entry)
  const edits = entry === undefined ? [{ path: [], value: newEntry(shape) }] : editsTo(entry, shape)
  const state = entry === undefined ? 'not set up' : edits.length === 0 ? 'set up' : 'set up differently'
  if (state === 'set up') return { target, real, state, action: 'none', before, after: before }
  const after = edits.reduce(
    (now, { path: below, value }) =>
      value === undefined
        ? client.format.take(now, [...at, ...below])
        : client.format.put(now, [...at, ...below], value),
    text,
  )
  const isRight = editsTo(valueAt(parsed(target, after), at), shape).length === 0
  if (!isRight || !onlyOursDiffers(client.format, text, after, at)) throw notSafely(target)
  const action = entry === undefined ? 'add' : 'change'
  return { target, real, state, action, before, after }
}

/** What takes our entry out again. */
export function planRemoval(target: Target, records: SetupRecords): Plan {
  const { client, name } = target
  const { real, before } = fileOf(target)
  const at = placeOf(client, name)
  if (before === undefined || valueAt(parsed(target, before), at) === undefined)
    return { target, real, state: 'not set up', action: 'none', before, after: before }
  const record = records.find(real, name)
  const after = withoutUs(target, before, record)
  const isGone = valueAt(parsed(target, after), at) === undefined
  if (!isGone || !onlyOursDiffers(client.format, before, after, at)) throw notSafely(target)
  const isAllOurs = record?.madeFile && isEmpty(rest(client.format, after, at) ?? {})
  return {
    target,
    real,
    state: 'set up',
    action: 'remove',
    before,
    after: isAllOurs ? undefined : after,
    record,
  }
}

/** Of the cleaned texts: the lines that a diff shows may be a key whose name stands above them. */
export function diffOf({ target, before, after }: Plan): string {
  const name = path.basename(target.file)
  const diff = unifiedDiff(name, withoutSecrets(before), withoutSecrets(after ?? ''))
  return diff.replace(/^\+\+\+ .*/m, (line) => (after === undefined ? '+++ /dev/null' : line))
}

/** Does what was planned, unless the file is not any more what the plan was made for. */
export async function carryOut(plan: Plan, records: SetupRecords): Promise<{ backup?: string }> {
  const { target, real, before, after } = plan
  try {
    const backup = before && after !== undefined ? records.backUp(real, Buffer.from(before)) : undefined
    const madeFolder = after === undefined ? undefined : madeFolderFor(real, target.shared)
    await write(plan)
    if (plan.action === 'remove') finishRemoval(plan, records)
    else if (after !== undefined) records.keep(recordOf(plan, after, madeFolder, records))
    return { backup }
  } catch (error) {
    throw fileFailure(error, 'WRITE_ERROR', real)
  }
}

async function write({ target, real, before, after }: Plan): Promise<void> {
  const check = () => {
    if (textIn(real) !== before) throw changedMeanwhile(real)
  }
  if (after === undefined) {
    check()
    fs.rmSync(real)
    return
  }
  const bytes = Buffer.from(after)
  const mode = target.shared ? undefined : 0o600
  await changeFile(real, async () => {
    check()
    return {
      change: before === undefined ? { create: bytes, mode } : { replace: bytes },
      answer: undefined,
    }
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? changedMeanwhile(real) : error
  })
}

function finishRemoval({ target, real, after, record }: Plan, records: SetupRecords): void {
  records.drop({ file: real, name: target.name })
  if (after !== undefined || !record?.madeFolder) return
  for (let folder = path.dirname(real); ; folder = path.dirname(folder)) {
    if (fs.readdirSync(folder).length > 0) return
    fs.rmdirSync(folder)
    if (folder === record.madeFolder || folder === path.dirname(folder)) return
  }
}

/** Always from the text without us to the text with us, however often it was set up in between. */
function recordOf(
  { target, real, before, action }: Plan,
  after: string,
  madeFolder: string | undefined,
  records: SetupRecords,
): SetupRecord {
  const { client, name } = target
  const earlier = action === 'add' ? undefined : records.find(real, name)
  const base = action === 'add' ? (before ?? '') : withoutUs(target, before ?? '', earlier)
  const hadList = valueAt(client.format.read(before ?? ''), placeOf(client, name).slice(0, -1)) !== undefined
  return {
    file: real,
    name,
    ...difference(base, after),
    sha256: sha256(after),
    madeFile: earlier?.madeFile ?? before === undefined,
    madeFolder: earlier?.madeFolder ?? madeFolder,
    madeList: earlier?.madeList ?? !hadList,
  }
}

function withoutUs({ client, name }: Target, text: string, record: SetupRecord | undefined): string {
  const at = placeOf(client, name)
  const exact = record && undone(text, record)
  if (exact !== undefined && isReadable(client.format, exact)) {
    const isGone = valueAt(client.format.read(exact), at) === undefined
    if (isGone && onlyOursDiffers(client.format, text, exact, at)) return exact
  }
  let after = client.format.take(text, at)
  for (let list = at.slice(0, -1); record?.madeList && list.length > 0; list = list.slice(0, -1))
    if (isEmpty(valueAt(client.format.read(after), list))) after = client.format.take(after, list)
  return after
}

function isEmpty(value: unknown): boolean {
  return isTable(value) && Object.keys(value).length === 0
}

/** The two say the same, apart from our entry and the list that may be there only for it. */
function onlyOursDiffers(format: Format, before: string, after: string, at: string[]): boolean {
  return isDeepStrictEqual(rest(format, before, at), rest(format, after, at))
}

function rest(format: Format, text: string, at: string[]): Record<string, unknown> | null {
  const document = format.read(text)
  if (!isTable(document)) return null
  for (let path = at; path.length > 0; path = path.slice(0, -1)) {
    const holder = valueAt(document, path.slice(0, -1))
    const key = path.at(-1)!
    if (isTable(holder) && (path === at || !holder[key] || isEmpty(holder[key]))) delete holder[key]
  }
  return document
}

function isReadable(format: Format, text: string): boolean {
  try {
    format.read(text)
    return true
  } catch {
    return false
  }
}

function parsed(target: Target, text: string): unknown {
  let document: unknown
  try {
    document = target.client.format.read(text)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    const { line, column, message } = error
    throw new RecollectError(
      'MALFORMED_FILE',
      `${target.file} cannot be read at line ${line}, column ${column}: ${message}.`,
      'Nothing was changed. Fix the file and retry.',
      { line, column },
    )
  }
  if (isTable(document)) return document
  throw new RecollectError('UNSUITED_FILE', `${target.file} is not a settings object.`)
}

function notSafely({ file }: Target): RecollectError {
  return new RecollectError(
    'UNSUITED_FILE',
    `${file} is written in a way in which our entry cannot be changed without changing something else.`,
    'Nothing was changed. Do it by hand.',
  )
}

function changedMeanwhile(file: string): RecollectError {
  return new RecollectError(
    'FILE_CHANGED',
    `${file} was changed by somebody else meanwhile.`,
    'Nothing was written. Run this again.',
  )
}

function fileOf({ file }: Target): { real: string; before: string | undefined } {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false })
  if (!stat) return { real: realPlace(file), before: undefined }
  if (stat.isSymbolicLink() && !fs.existsSync(file)) {
    throw new RecollectError(
      'READ_ERROR',
      `${file} is a link to nothing.`,
      'Remove the link, or make its target.',
    )
  }
  const real = fs.realpathSync(file)
  return { real, before: textIn(real) }
}

/** Where a file that is not there yet would really be, behind whatever links lead to its folder. */
function realPlace(file: string): string {
  const folder = path.dirname(file)
  if (folder === file) return file
  const real = fs.existsSync(folder) ? fs.realpathSync(folder) : realPlace(folder)
  return path.join(real, path.basename(file))
}

/** The text to the byte: what is not UTF-8 would not survive being written again. */
function textIn(file: string): string | undefined {
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  if (!stat) return undefined
  if (!stat.isFile()) throw new RecollectError('READ_ERROR', `${file} is not a file.`)
  if (stat.size > MAX_BYTES) throw new RecollectError('UNSUITED_FILE', `${file} is larger than 50 MB.`)
  let bytes: Buffer
  try {
    bytes = fs.readFileSync(file)
  } catch (error) {
    throw fileFailure(error, 'READ_ERROR', file)
  }
  refuseOtherEncodings(bytes, file)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new RecollectError('READ_ERROR', `${file} is not written in UTF-8.`, 'Save it as UTF-8.')
  }
}

function madeFolderFor(file: string, shared: boolean): string | undefined {
  return fs.mkdirSync(path.dirname(file), { recursive: true, mode: shared ? 0o777 : 0o700 })
}
