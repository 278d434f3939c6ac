import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { StatementSync } from 'node:sqlite'
import type { Chat, Message } from '../model/chat.ts'
import type { Machine } from '../platform/machine.ts'
import type { Checkpoint, Found, Problem, ReadableSource, Source, Unit } from './source.ts'

/** What a reading tells, gathered as the archive would: the last word on each chat and message. */
export interface Reading {
  chats: Chat[]
  /** By chat id, in order. */
  messages: Record<string, Message[]>
  problems: Problem[]
  checkpoint?: Checkpoint
}

export function gather(found: Iterable<Found>, onto?: Reading): Reading {
  const chats = new Map(onto?.chats.map((chat) => [chat.id, chat]))
  const messages = new Map(
    Object.entries(onto?.messages ?? {}).map(([id, list]) => [id, new Map(list.map((m) => [m.id, m]))]),
  )
  const problems = [...(onto?.problems ?? [])]
  let checkpoint = onto?.checkpoint
  for (const item of found) {
    if ('chat' in item) {
      const told = Object.fromEntries(Object.entries(item.chat).filter(([, value]) => value !== undefined))
      chats.set(item.chat.id, { ...chats.get(item.chat.id), ...(told as unknown as Chat) })
    } else if ('message' in item) {
      if (!messages.has(item.chatId)) messages.set(item.chatId, new Map())
      messages.get(item.chatId)!.set(item.message.id, item.message)
    } else if ('problem' in item) problems.push(item.problem)
    else if ('restart' in item) messages.clear()
    else if ('checkpoint' in item) checkpoint = JSON.parse(JSON.stringify(item.checkpoint))
  }
  const ordered = [...messages].map(([id, byId]) => [
    id,
    [...byId.values()].sort((a, b) => a.order - b.order),
  ])
  return { chats: [...chats.values()], messages: Object.fromEntries(ordered), problems, checkpoint }
}

/** Every unit below a source's roots on this machine. */
export function unitsOf(source: Source, machine: Machine): Unit[] {
  const units = new Map<string, Unit>()
  for (const root of source.roots(machine)) {
    const walk = (folder: string) => {
      const absolute = path.join(root.path, folder)
      if (!fs.existsSync(absolute)) return
      for (const entry of fs.readdirSync(absolute, { withFileTypes: true })) {
        const relative = folder ? `${folder}/${entry.name}` : entry.name
        if (entry.isDirectory()) {
          if (source.enters(relative, root)) walk(relative)
        } else {
          const unit = source.unit(relative, root)
          if (unit && fs.existsSync(unit.path)) units.set(unit.path, unit)
        }
      }
    }
    walk('')
  }
  return [...units.values()]
}

/** Everything a source finds on a machine. */
export function readMachine(source: ReadableSource, machine: Machine): Reading {
  let reading: Reading | undefined
  for (const unit of unitsOf(source, machine))
    reading = gather(found(gather(source.read(unit, undefined, machine))), reading)
  return reading ?? { chats: [], messages: {}, problems: [] }
}

/** What a reading told, once more: a unit that begins again takes back nothing of another. */
function* found({ chats, messages, problems }: Reading): Generator<Found> {
  for (const chat of chats) yield { chat }
  for (const [chatId, list] of Object.entries(messages)) for (const message of list) yield { chatId, message }
  for (const problem of problems) yield { problem }
}

/** One chat of a reading, and what was said in it. */
export function lookInto(reading: Reading) {
  const messages = (id: string) => reading.messages[id] ?? []
  return {
    chat: (id: string) => reading.chats.find((one) => one.id === id)!,
    messages,
    texts: (id: string, kind: Message['kind']) =>
      messages(id)
        .filter((message) => message.kind === kind)
        .map((message) => message.text),
  }
}

/** What is expected of a chat: its requests and answers, and how many calls and results of tools. */
export type Dialog = [id: string, requests: string[], answers: string[], calls: number, results: number]

/** These dialogs were read, each thing once, and nothing else. */
export function assertDialogs(reading: Reading, dialogs: Dialog[]): void {
  const { messages, texts } = lookInto(reading)
  for (const [id, requests, answers, calls, results] of dialogs) {
    assert.deepEqual(texts(id, 'request'), requests, id)
    assert.deepEqual(texts(id, 'answer'), answers, id)
    assert.equal(messages(id).flatMap((message) => message.toolCalls ?? []).length, calls, id)
    assert.equal(messages(id).flatMap((message) => message.toolResults ?? []).length, results, id)
  }
  assert.equal(reading.chats.length, dialogs.length)
  assert.deepEqual(reading.problems, [])
}

/**
 * Reads a growing file as sync would see it: cut after each of `cuts` bytes, every reading going on
 * from the checkpoint of the one before. Must end as one whole reading does.
 */
export function readGrowing(source: ReadableSource, unit: Unit, machine: Machine, cuts: number[]): Reading {
  const bytes = fs.readFileSync(unit.path)
  let reading: Reading | undefined
  try {
    for (const cut of [...cuts, bytes.length]) {
      fs.writeFileSync(unit.path, bytes.subarray(0, cut))
      reading = gather(source.read(unit, reading?.checkpoint, machine), reading)
    }
  } finally {
    fs.writeFileSync(unit.path, bytes)
  }
  return reading!
}

/** A machine whose home is this folder and which has no environment of its own. */
export function machineAt(home: string, env: Record<string, string> = {}): Machine {
  return { platform: 'linux', home, env }
}

/** Where each line ends: the kindest places to cut a file at. */
export function lineEnds(bytes: Buffer): number[] {
  const ends: number[] = []
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) ends.push(at + 1)
  return ends
}

/** Any places to cut a file at, in order. */
export function anyCuts(length: number, count: number, random: () => number): number[] {
  return Array.from({ length: count }, () => Math.floor(random() * length)).sort((a, b) => a - b)
}

/** What two readings are compared by: without checkpoints, and as JSON, where undefined is the same as missing. */
export function plainly({ chats, messages }: Reading): Pick<Reading, 'chats' | 'messages'> {
  return JSON.parse(JSON.stringify({ chats, messages }))
}

/** What a reading of a database costs: the rows SQLite hands over. */
export function countingRows<T>(work: () => T): { result: T; rows: number } {
  let rows = 0
  const { iterate, get } = StatementSync.prototype
  StatementSync.prototype.iterate = function (this: StatementSync, ...values: never[]) {
    const inner = Reflect.apply(iterate, this, values)
    return (function* () {
      for (const row of inner) {
        rows++
        yield row
      }
    })() as ReturnType<typeof iterate>
  }
  StatementSync.prototype.get = function (this: StatementSync, ...values: never[]) {
    rows++
    return Reflect.apply(get, this, values)
  }
  try {
    return { result: work(), rows }
  } finally {
    Object.assign(StatementSync.prototype, { iterate, get })
  }
}
