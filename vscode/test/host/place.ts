import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { openSqliteArchive } from '../../../src/archive/sqlite/index.ts'
import { EMPTY_CHAT, MOVED_CHAT, ONLY_ANSWERS } from './inside/planted.ts'

/** The folders of one run: a home of its own, so that nothing of the person's is read or written. */
export interface Place {
  folder: string
  home: string
  /** What VS Code has open. */
  workspace: string
  archive: string
  temp: string
  extensions: string
  /** VS Code's user data; where code-server keeps it unless told otherwise, and Recollect looks for it. */
  user: string
}

const sample = path.join(import.meta.dirname, '..', '..', '..', 'sample')

export async function makePlace(): Promise<Place> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-vscode-'))
  const home = path.join(folder, 'home')
  const place = {
    folder,
    home,
    workspace: path.join(home, 'todo'),
    archive: path.join(folder, 'archive'),
    temp: path.join(folder, 'tmp'),
    extensions: path.join(folder, 'extensions'),
    user: path.join(home, '.local', 'share', 'code-server', 'User'),
  }
  fs.cpSync(sample, home, { recursive: true })
  for (const each of [place.workspace, place.temp, place.extensions, place.user])
    fs.mkdirSync(each, { recursive: true })
  fs.writeFileSync(path.join(place.workspace, 'todo.ts'), CODE)
  fs.writeFileSync(path.join(place.user, 'settings.json'), JSON.stringify(SETTINGS, undefined, 2))
  plantOnlyAnswers(home)
  plantMovedChat(place)
  await plantEmptyChat(place.archive)
  return place
}

export function environmentOf(place: Place): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    HOME: place.home,
    TMPDIR: place.temp,
    XDG_RUNTIME_DIR: place.temp,
    RECOLLECT_HOME: place.archive,
    EXTENSIONS_GALLERY: '{"serviceUrl":"","itemUrl":"","resourceUrlTemplate":""}',
  }
}

const CODE = `export interface Task {
  title: string
  done: boolean
}

export function toggle(task: Task): Task {
  return { ...task, done: !task.done }
}
`

const SETTINGS = {
  'telemetry.telemetryLevel': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'workbench.enableExperiments': false,
  'workbench.startupEditor': 'none',
  // Copilot has the titles of dialogs written by these.
  'chat.utilityModel': 'scripted/small',
  'chat.utilitySmallModel': 'scripted/small',
}

function plantOnlyAnswers(home: string): void {
  const folder = path.join(home, '.copilot', 'session-state', ONLY_ANSWERS)
  const at = '2026-03-02T10:00:00.000Z'
  const context = { cwd: '/home/alex/notes' }
  const events = [
    { type: 'session.start', data: { sessionId: ONLY_ANSWERS, version: 1, startTime: at, context } },
    { type: 'assistant.message', data: { messageId: 'm1', content: 'Welcome back.' } },
  ].map((event, n) => JSON.stringify({ ...event, id: `e${n}`, timestamp: at, parentId: null }))
  fs.mkdirSync(folder)
  fs.writeFileSync(path.join(folder, 'events.jsonl'), `${events.join('\n')}\n`)
}

/** In VS Code's own storage, under the id of a folder that has another name by now. */
function plantMovedChat({ user, home }: Place): void {
  const storage = path.join(user, 'workspaceStorage', 'c0ffee00c0ffee00c0ffee00c0ffee00')
  const session = {
    version: 3,
    sessionId: MOVED_CHAT.id,
    creationDate: MOVED_AT,
    customTitle: MOVED_CHAT.title,
    responderUsername: 'GitHub Copilot',
    initialLocation: 'panel',
    requests: [
      {
        requestId: 'request_moved',
        responseId: 'response_moved',
        timestamp: MOVED_AT,
        message: { text: MOVED_CHAT.request, parts: [textPart(MOVED_CHAT.request)] },
        variableData: { variables: [] },
        response: [{ value: 'They are in the footer now.' }],
        modelState: { value: 1, completedAt: MOVED_AT },
      },
    ],
  }
  fs.mkdirSync(path.join(storage, 'chatSessions'), { recursive: true })
  const folder = pathToFileURL(path.join(home, 'todo-before')).href
  fs.writeFileSync(path.join(storage, 'workspace.json'), JSON.stringify({ folder }))
  const line = JSON.stringify({ kind: 0, v: session })
  fs.writeFileSync(path.join(storage, 'chatSessions', `${MOVED_CHAT.id}.jsonl`), `${line}\n`)
}

function textPart(text: string): object {
  const length = text.length
  const editorRange = { startLineNumber: 1, startColumn: 1, endLineNumber: 1, endColumn: length + 1 }
  return { kind: 'text', text, range: { start: 0, endExclusive: length }, editorRange }
}

const MOVED_AT = Date.parse('2026-05-04T12:00:00Z')

async function plantEmptyChat(folder: string): Promise<void> {
  const archive = openSqliteArchive(folder)
  const lease = await archive.takeLease('test')
  if (!('holder' in lease)) throw new Error('the new archive is in use')
  await archive.write(
    [
      {
        source: 'claude-code',
        path: `/home/alex/${EMPTY_CHAT}.jsonl`,
        rank: 0,
        fingerprint: { stamp: '1 1 1', inode: 1, size: 1, mtime: 1, head: '', tail: '' },
        generation: 1,
        chats: [{ source: 'claude-code', id: EMPTY_CHAT }],
        messages: [],
        problems: [],
        begins: true,
        completes: false,
      },
    ],
    lease,
  )
  await archive.releaseLease(lease)
  await archive.close()
}
