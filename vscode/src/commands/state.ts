import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as vscode from 'vscode'
import type { Overview } from '../../../src/archive/archive.ts'
import { configFile } from '../../../src/platform/config.ts'
import { sourceName } from '../../../src/sources/names.ts'
import type { Backend } from '../backend.ts'
import { type LookedAt, lookedAt } from '../looked.ts'
import { sideOf } from '../side.ts'
import { problemLine, stateOf, syncLine } from '../status.ts'
import { ago, count, t } from '../words.ts'

interface Line extends vscode.QuickPickItem {
  run?: () => unknown
}

const run = (command: string, ...given: unknown[]) => vscode.commands.executeCommand(command, ...given)

/** What is in the archive and whose it is, how fresh it is, where chats were looked for, and what can be done. */
export async function showStatus(backend: Backend): Promise<void> {
  const { overview, syncing, failure } = await stateOf(backend)
  const problems = problemLine(overview)
  const lines: Line[] = [
    heading(t('Your archive')),
    archiveLine(backend, overview, failure),
    ...sideLines(backend),
    { label: `$(sync) ${syncLine(syncing, overview?.lastSyncAt)}`, run: () => run('recollect.syncNow') },
    ...(problems ? [{ label: `$(warning) ${problems}`, run: () => run('recollect.showProblems') }] : []),
    heading(t('Actions')),
    { label: `$(sync) ${t('Sync Now')}`, run: () => run('recollect.syncNow') },
    { label: `$(search) ${t('Search Chats…')}`, run: () => run('recollect.search') },
    {
      label: `$(settings-gear) ${t('Settings')}`,
      run: () => run('workbench.action.openSettings', '@ext:recollect.recollect-vscode'),
    },
    { label: `$(output) ${t('Show Log')}`, run: () => backend.log.show() },
    ...(await placeLines(backend, overview)),
  ]
  const chosen = await vscode.window.showQuickPick(lines, {
    title: 'Recollect',
    placeHolder: t('Status'),
    matchOnDetail: true,
  })
  await chosen?.run?.()
}

function archiveLine(backend: Backend, overview: Overview | undefined, failure: string | undefined): Line {
  if (failure)
    return {
      label: `$(error) ${t('The archive cannot be opened.')}`,
      detail: failure,
      run: () => backend.log.show(),
    }
  if (!overview)
    return {
      label: `$(database) ${t('No archive yet')}`,
      detail: t('Sync Now creates one.'),
      run: () => run('recollect.syncNow'),
    }
  return {
    label: `$(database) ${count(overview.chats, 'chat')}, ${count(overview.messages, 'message')}`,
    detail: overview.path,
    run: () => run('revealFileInOS', vscode.Uri.file(overview.path)),
  }
}

/** In a remote window: which machine's archive this is, and the way to the other one's. */
function sideLines(backend: Backend): Line[] {
  const side = sideOf(backend)
  if (!side) return []
  return [
    {
      label: `$(remote) ${t('You see the chats on {0}', side.name)}`,
      ...(side.other && { detail: t('Show the chats on {0} instead…', side.other) }),
      run: () => run('recollect.otherSide'),
    },
  ]
}

/** Each assistant with what was found of it, then the places in which nothing was. */
async function placeLines(backend: Backend, overview: Overview | undefined): Promise<Line[]> {
  const places = await backend
    .secretary()
    .then((secretary) => lookedAt(secretary.readable()))
    .catch((): LookedAt[] => [])
  const there = places.filter(({ isThere }) => isThere)
  const known = new Set(there.map(({ source }) => source))
  const onlyHere = (overview?.sources ?? []).filter(({ source, chats }) => chats > 0 && !known.has(source))
  return [
    heading(t('Searched for chats in')),
    ...there.map((place) => ({
      label: `$(pass) ${place.name}`,
      description: factsOf(overview, place.source),
      detail: tilde(place.path),
      run: () => run('revealFileInOS', vscode.Uri.file(place.path)),
    })),
    ...onlyHere.map(({ source }) => ({
      label: `$(archive) ${sourceName(source)}`,
      description: factsOf(overview, source),
      detail: t('Only in the archive'),
    })),
    heading(t('Also looked here, but not found')),
    ...places
      .filter(({ isThere }) => !isThere)
      .map((place) => ({ label: `$(circle-slash) ${place.name}`, detail: tilde(place.path) })),
  ]
}

function factsOf(overview: Overview | undefined, source: string): string {
  const found = overview?.sources.find((each) => each.source === source)
  return [count(found?.chats ?? 0, 'chat'), found?.newestAt && t('latest {0}', ago(found.newestAt))]
    .filter(Boolean)
    .join(', ')
}

function tilde(place: string): string {
  const home = os.homedir()
  return place.startsWith(home + path.sep) ? `~${place.slice(home.length)}` : place
}

/** What could not be read, as a document. */
export async function showProblems(backend: Backend): Promise<void> {
  const secretary = await backend.secretary()
  const problems = await secretary.reader(backend.caller()).problems()
  const lines = problems.map(({ source, path: file, offset, reason }) => {
    const place = offset === undefined ? file : t('{0} at byte {1}', file, offset)
    return `- ${sourceName(source)}: ${reason}\n  ${place}`
  })
  const content = `# ${t('Files that could not be read')}\n\n${lines.join('\n') || t('All files were read.')}\n`
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content })
  await vscode.window.showTextDocument(document)
}

/** The configuration that all programs share, made where there is none. */
export async function openConfiguration(backend: Backend): Promise<void> {
  const { folder } = await backend.secretary()
  const file = configFile(folder)
  if (!fs.existsSync(file)) {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    fs.writeFileSync(file, '{\n  "sources": {}\n}\n', { mode: 0o600, flag: 'wx' })
  }
  await vscode.window.showTextDocument(vscode.Uri.file(file))
}

function heading(label: string): Line {
  return { label, kind: vscode.QuickPickItemKind.Separator }
}
