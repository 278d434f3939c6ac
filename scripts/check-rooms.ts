/**
 * Holds the one direction in which the rooms of src/ may import: from those to their left, and
 * from model and platform; that no face is built on another, the page and the extension included;
 * and that nothing imports itself by way of others. See ARCHITECTURE.md.
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
  'hub',
  'search',
  'recall',
  'context',
  'capabilities',
  'service',
  'server',
  'mcp',
  'agent',
  'http',
  'cli',
]
const root = path.join(import.meta.dirname, '..')

export function violations(file: string, text: string): string[] {
  const [room = '', folder] = file.split('/')
  const found: string[] = []
  if (!ROOMS.includes(room)) found.push(`${room} is not a room of ARCHITECTURE.md`)
  if (FACES.includes(room) && !file.endsWith('.test.ts')) found.push(...aroundTheGate(`src/${file}`, text))
  if (/^\s*(?:await )?using \w+ =/m.test(text)) found.push('says `using`, which Node 22 cannot parse')
  if (/[=<>,(]\s*\?[1-9]/.test(text) && !isTestFile(file))
    found.push('numbers the parameters of SQL (?1), which Node 22 cannot bind')
  if (room !== 'platform' && /\bfs(?:\.promises)?\.rename(?:Sync)?\(/.test(text) && !isTestFile(file))
    found.push('renames by itself: renamePatiently of platform/patience.ts waits for who holds the file')
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
    const isFace = FACES.includes(room) && FACES.includes(targetRoom) && room !== targetRoom
    if (isFace && !CARRIED[room]?.test(target) && !file.endsWith('.test.ts'))
      found.push(`the face ${room} imports the face ${target}`)
    // Exports of an assistant are read with the assistant's own reader, and its files counted as it stores them.
    const isAssistant = (name: string | undefined) =>
      name !== undefined && !name.endsWith('.ts') && name !== 'imports' && name !== 'coverage'
    if (
      room === 'sources' &&
      targetRoom === 'sources' &&
      isAssistant(folder) &&
      isAssistant(targetFolder) &&
      folder !== targetFolder &&
      // What an assistant shares with its relatives.
      !/\/(family|places|survey)\.ts$/.test(target)
    ) {
      found.push(`the source ${folder} imports the source ${targetFolder}`)
    }
  }
  return found
}

/** Tests, and what only they use. */
function isTestFile(file: string): boolean {
  return /\.test\.ts$|(?:^|[-/])(?:kit|test-[^/]*|fixture-homes)\.ts$/.test(file)
}

/** Faces offer what the rooms do; none is built on another. */
const FACES = ['mcp', 'http', 'cli']
/** What starts or carries another face, and nothing else of it. */
const CARRIED: Record<string, RegExp> = {
  // Commands that start a server.
  cli: /^(mcp\/(stdio|greeter|http|endpoint)|http\/(serve|backend))\.ts$/,
  vscode: /^cli\/mcp-server\.ts$/,
}

/** What reads chats: faces have it from service/ only, with its rights and its redaction. */
const BEHIND_THE_GATE =
  /^src\/(recall\/(current|reader|gather|list|metrics|evidence|resolve|chosen|compare|forgetting|elsewhere|family|export\/file)|search\/search|context\/(read|check|export|memory|append|archive-entries)|platform\/redact(-json)?)\.ts$/

/** What an archive tells of chats, or erases: faces ask service/ for it. What looks after the archive itself is theirs. */
const CHATS_OF_ARCHIVE =
  /\barchive\s*\.\s*(overview|chatCount|groupChats|countChats|noteOwn|workspaces|listChats|chatsBegunWith|messagesBegunWith|resolveChat|relatives|unitsOf|messages|outline|textsOf|problems|unknownRecords|forget|forgottenChats|letBack|search\w*)\s*\(/g

function aroundTheGate(file: string, text: string): string[] {
  const asked = [...text.matchAll(CHATS_OF_ARCHIVE)].map(
    ([, name]) => `goes around the gate: archive.${name}()`,
  )
  const imported = [...text.matchAll(IMPORTS)].flatMap(([statement, from, loaded]) => {
    const target = path.posix.join(path.posix.dirname(file), from ?? loaded ?? '')
    const isType = /^(?:import|export) type\b/.test(statement)
    return !isType && BEHIND_THE_GATE.test(target) ? [`goes around the gate: ${target.slice(4)}`] : []
  })
  return [...imported, ...asked]
}

/** What the page may load of src/ besides types: pure, and without imports of its own. */
const FOR_THE_PAGE = ['model/day.ts']

/** What the page and the extension take of src/: the page types, and little else. */
export function outsideViolations(file: string, text: string): string[] {
  const [place = ''] = file.split('/')
  const found = place === 'vscode' ? aroundTheGate(file, text) : []
  for (const [statement, from, loaded] of text.matchAll(IMPORTS)) {
    const imported = from ?? loaded ?? ''
    const target = path.posix.join(path.posix.dirname(file), imported)
    if (!imported.startsWith('.') || !target.startsWith('src/')) continue
    const own = target.slice(4)
    const isType = /^(?:import|export) type\b/.test(statement)
    if (place === 'web' && !isType && !FOR_THE_PAGE.includes(own))
      found.push(`the page takes only types of src/, not ${own}`)
    if (FACES.includes(own.split('/')[0]!) && !CARRIED[place]?.test(own))
      found.push(`${place} imports the face ${own}`)
  }
  return found
}

const IMPORTS = /(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'|import\s*\(?\s*'([^']+)'/g

/** Groups of files that import each other, types included, each sorted by name. */
export function cyclesIn(imports: Map<string, string[]>): string[] {
  const cycles: string[] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const visit = (file: string): void => {
    order.set(file, order.size)
    lowest.set(file, order.get(file)!)
    stack.push(file)
    for (const next of imports.get(file) ?? []) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!))
    }
    if (lowest.get(file) !== order.get(file)) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1) cycles.push(group.sort().join(' '))
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return cycles
}

function importsIn(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, imported = '']) =>
    path.posix.join(path.posix.dirname(file), imported),
  )
}

if (import.meta.main) {
  let bad = 0
  const tell = (file: string, violation: string) => {
    console.error(`${file}: ${violation}`)
    bad++
  }
  const files = fs
    .globSync('{src,web/src,vscode/src}/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.includes('/fixtures/'))
  const imports = new Map<string, string[]>()
  for (const file of files) {
    const text = fs.readFileSync(path.join(root, file), 'utf8')
    const found = file.startsWith('src/') ? violations(file.slice(4), text) : outsideViolations(file, text)
    for (const violation of found) tell(file, violation)
    if (!/\.test\.tsx?$/.test(file)) imports.set(file, importsIn(file, text))
  }
  for (const [file, all] of imports)
    imports.set(
      file,
      all.filter((each) => imports.has(each)),
    )
  for (const cycle of cyclesIn(imports)) tell(cycle.split(' ')[0]!, `imports itself by way of ${cycle}`)
  console.log(
    bad === 0
      ? `${files.length} files import in the allowed direction`
      : `${bad} imports in the wrong direction`,
  )
  process.exitCode = bad === 0 ? 0 : 1
}
