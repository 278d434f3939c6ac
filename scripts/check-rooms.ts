/**
 * Holds the one direction in which the rooms of src/ may import: from those to their left, and
 * from model and platform. See ARCHITECTURE.md.
 */
import fs from 'node:fs'
import path from 'node:path'

const ROOMS = [
  // For other programs: needs nothing of ours.
  'client',
  'model',
  'platform',
  'sources',
  'archive',
  'sync',
  'search',
  'recall',
  'context',
  'capabilities',
  'service',
  'mcp',
  'agent',
  'http',
  'cli',
]
const src = path.join(import.meta.dirname, '..', 'src')

export function violations(file: string, text: string): string[] {
  const [room = '', folder] = file.split('/')
  const found: string[] = []
  if (!ROOMS.includes(room)) found.push(`${room} is not a room of ARCHITECTURE.md`)
  for (const [, imported = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
    if (room === 'model' && imported.startsWith('node:') && !file.endsWith('.test.ts')) {
      found.push(`model does no I/O, but imports ${imported}`)
    }
    if (
      imported === 'node:sqlite' &&
      room !== 'archive' &&
      room !== 'sources' &&
      !file.endsWith('.test.ts')
    ) {
      found.push('SQL lives in archive and nowhere else')
    }
    if (!imported.startsWith('.')) continue
    const target = path.posix.join(path.posix.dirname(file), imported)
    if (target.startsWith('..')) {
      if (!file.endsWith('.test.ts')) found.push(`imports ${imported}, which is outside of src`)
      continue
    }
    const [targetRoom = '', targetFolder = ''] = target.split('/')
    if (targetRoom !== room && ROOMS.indexOf(targetRoom) > ROOMS.indexOf(room)) {
      found.push(`${room} imports from ${targetRoom}, which is to its right`)
    }
    // Exports of an assistant are read with the assistant's own reader, and its files counted as it stores them.
    const isAssistant = (name: string | undefined) =>
      name !== undefined && !name.endsWith('.ts') && name !== 'imports' && name !== 'coverage'
    if (
      room === 'sources' &&
      targetRoom === 'sources' &&
      isAssistant(folder) &&
      isAssistant(targetFolder) &&
      folder !== targetFolder
    ) {
      found.push(`the source ${folder} imports the source ${targetFolder}`)
    }
  }
  return found
}

if (import.meta.main) {
  let bad = 0
  const files = fs.globSync('**/*.{ts,tsx}', { cwd: src }).map((file) => file.replaceAll('\\', '/'))
  for (const file of files.filter((name) => !name.includes('/fixtures/'))) {
    for (const violation of violations(file, fs.readFileSync(path.join(src, file), 'utf8'))) {
      console.error(`src/${file}: ${violation}`)
      bad++
    }
  }
  console.log(
    bad === 0
      ? `${files.length} files import in the allowed direction`
      : `${bad} imports in the wrong direction`,
  )
  process.exitCode = bad === 0 ? 0 : 1
}
