import { setImmediate } from 'node:timers/promises'
import type { Clean } from '../../model/clean.ts'
import { RecollectError } from '../../model/errors.ts'
import { recollectHome } from '../../platform/machine.ts'
import { type Choice, chosenChats } from '../chosen.ts'
import { openChat } from '../current.ts'
import type { NotFound } from '../gather.ts'
import type { Asker } from '../live.ts'
import { saidIn } from '../live.ts'
import { cutAt } from '../preview.ts'
import { exportFile } from './file.ts'
import { type Examples, finetuneAnthropic, finetuneOpenai } from './finetune.ts'
import type { Format } from './format.ts'
import type { ExportFormat } from './formats.ts'
import { html } from './html.ts'
import { json, jsonl } from './json.ts'
import { markdown } from './markdown.ts'

export interface ExportInput extends Choice {
  format: ExportFormat
  /** Where to write; without it the text is the answer. */
  path?: string
  /** Write over a file that is there. */
  force?: boolean
  examples?: Examples
  /** Only these messages of each chat, both ends included. */
  from?: number
  to?: number
}

export interface ExportAnswer {
  format: ExportFormat
  chats: number
  messages: number
  path?: string
  bytes?: number
  text?: string
  /** The text is not complete: how to get all of it. */
  truncated?: string
  notFound?: NotFound[]
  notes?: string[]
}

export interface ExportOptions {
  clean: Clean
  /** The most characters of JSON that a text may take. */
  room: number
  /** Relative paths are meant from here. */
  folder: string
  onProgress?: (chats: number, of: number) => void
}

export async function exportChats(
  asker: Asker,
  input: ExportInput,
  options: ExportOptions,
): Promise<ExportAnswer> {
  const format = formatOf(input)
  const { names, notes } = await chosenChats(asker.archive, input)
  const told = { chats: 0, messages: 0, notFound: [] as NotFound[] }
  const { from, to } = input
  const pieces = written(asker, format, names, told, { ...options, from, to })
  const answer: ExportAnswer = { format: input.format, chats: 0, messages: 0 }
  if (input.path !== undefined) {
    const { machine } = asker
    const records = recollectHome(machine)
    const file = { path: input.path, folder: options.folder, home: machine.home, records, force: input.force }
    Object.assign(answer, await exportFile(file, format, pieces))
  } else Object.assign(answer, await asText(pieces, options.room - 300))
  const { notFound, ...counts } = told
  return { ...answer, ...counts, ...(notFound.length > 0 && { notFound }), ...(notes && { notes }) }
}

/** The same a piece at a time, for who passes it on as it is made: a chat that is not there is told before, not left out. */
export async function exportPieces(
  asker: Asker,
  input: Omit<ExportInput, 'path' | 'force'>,
  clean: ExportOptions['clean'],
): Promise<{ extension: string; pieces: AsyncGenerator<string> }> {
  const format = formatOf(input)
  const { names } = await chosenChats(asker.archive, input)
  // One that is not archived yet is opened from its file.
  for (const name of names) await asker.archive.resolveChat(name).catch(() => openChat(asker, name))
  const told = { chats: 0, messages: 0, notFound: [] }
  const { from, to } = input
  return { extension: format.extension, pieces: written(asker, format, names, told, { clean, from, to }) }
}

function formatOf({ format, examples = 'chat' }: ExportInput): Format {
  if (format === 'finetune-openai') return finetuneOpenai(examples)
  if (format === 'finetune-anthropic') return finetuneAnthropic(examples)
  return { markdown, json, jsonl, html }[format]
}

/** One chat at a time is in memory. */
async function* written(
  asker: Asker,
  format: Format,
  names: string[],
  told: { chats: number; messages: number; notFound: NotFound[] },
  {
    clean,
    onProgress,
    from = 0,
    to = Number.POSITIVE_INFINITY,
  }: Pick<ExportOptions, 'clean' | 'onProgress'> & Pick<ExportInput, 'from' | 'to'>,
): AsyncGenerator<string> {
  yield format.begin
  for (const [number, name] of names.entries()) {
    try {
      const { unsynced, ...opened } = await openChat(asker, name)
      const messages = opened.messages.filter(({ index }) => index >= from && index <= to)
      const live = clean({ ...opened, messages }, saidIn({ ...opened, unsynced }))
      told.messages += live.messages.length
      yield* format.chat(live, told.chats++)
    } catch (error) {
      if (!(error instanceof RecollectError) || error.code !== 'SESSION_NOT_FOUND') throw error
      told.notFound.push({ id: name, error: error.message })
    }
    if (onProgress) {
      // Only between turns it is heard that it is to stop; who is told how far it is may throw then.
      await setImmediate()
      onProgress(number + 1, names.length)
    }
  }
  if (told.chats === 0) {
    throw new RecollectError(
      told.notFound.length > 0 ? 'SESSION_NOT_FOUND' : 'NOTHING_TO_EXPORT',
      told.notFound.map(({ error }) => error).join('; ') || 'No chat is like that.',
      'list_chats shows what there is.',
    )
  }
  yield format.end
}

async function asText(
  pieces: AsyncIterable<string>,
  room: number,
): Promise<{ text: string; truncated?: string }> {
  let text = ''
  let size = 0
  for await (const piece of pieces) {
    // Signs that JSON writes as two count for two.
    const more = JSON.stringify(piece).length - 2
    size += more
    if (size > room) {
      const share = Math.max(0, 1 - (size - room) / more)
      text += cutAt(piece, Math.floor(piece.length * share * 0.9))
      return { text, truncated: 'Too long for an answer: give a path to write all of it.' }
    }
    text += piece
  }
  return { text }
}
