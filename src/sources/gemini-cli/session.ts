import crypto from 'node:crypto'
import path from 'node:path'
import type { Chat, Message } from '../../model/chat.ts'
import { smallText } from '../../platform/small-text.ts'
import { type Json, list, millis, object, words } from '../json.ts'
import { readJson } from '../lines.ts'

/** What is known of a session so far; small, and JSON, for it goes into checkpoints. */
export interface Session {
  id?: string
  title?: string
  workspace?: string
  createdAt?: number
  updatedAt?: number
  subagent?: boolean
}

/** Metadata: the first line, every `$set`, or the whole of an older document. */
export function takeMetadata(session: Session, metadata: Json): void {
  session.id ??= short(metadata.sessionId)
  session.title = short(metadata.summary) ?? session.title
  session.createdAt ??= millis(metadata.startTime)
  session.updatedAt = latest(session.updatedAt, millis(metadata.lastUpdated))
  session.workspace ??= short(list(metadata.directories)[0])
  if (metadata.kind === 'subagent') session.subagent = true
}

/** The opening context names the folder, where nothing else does. */
export function takeContext(session: Session, { kind, text }: Message): void {
  if (session.workspace || kind !== 'injected') return
  const named =
    /\*\*Workspace Directories:\*\*\s+- (.{1,2000})$|working in the directory: (.{1,2000})$/m.exec(
      text.slice(0, 8000),
    )
  session.workspace = (named?.[1] ?? named?.[2])?.trim()
}

export function latest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)
}

export function chatOf(session: Session, file: string): Chat {
  const folder = path.basename(path.dirname(file))
  const parentId = folder === 'chats' ? undefined : folder
  const id = session.id ?? sessionIdOf(file)
  const subagent = session.subagent || parentId !== undefined || undefined
  return {
    source: 'gemini-cli',
    id,
    title: session.title,
    workspace: projectFolderOf(file) ?? session.workspace,
    createdAt: session.createdAt,
    updatedAt: session.updatedAt,
    parentId,
    subagent,
    format: file.endsWith('.jsonl') ? 'log' : 'json',
    resume: subagent || !/^[\w-]+$/.test(id) ? undefined : `gemini --resume ${id}`,
  }
}

export function sessionIdOf(file: string): string {
  return path.basename(file).replace(/\.jsonl?$/, '')
}

/** The folder is named after the project: by a slug that is written down, or by the hash of its path. */
export function projectFolderOf(file: string): string | undefined {
  const before = file.lastIndexOf(`${path.sep}chats${path.sep}`)
  if (before < 0) return undefined
  const project = file.slice(0, before)
  const name = path.basename(project)
  return (
    short(textOf(path.join(project, '.project_root'))) ??
    Object.entries(projectsOf(path.join(project, '..', '..', 'projects.json'))).find(
      ([folder, slug]) => slug === name || sha256(folder) === name,
    )?.[0]
  )
}

function sha256(text: string): string {
  return crypto.createHash('sha256').update(text).digest('hex')
}

function textOf(file: string): string | undefined {
  return smallText(file, 10_000)?.trim()
}

function projectsOf(file: string): Json {
  try {
    return object(object(readJson(file))?.projects) ?? {}
  } catch {
    return {}
  }
}

function short(value: unknown): string | undefined {
  return words(value)?.slice(0, 4096)
}
