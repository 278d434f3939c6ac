import type { Script } from 'node:vm'

const { getBuiltinModule } = process
const fs = getBuiltinModule('node:fs')
const os = getBuiltinModule('node:os')
const path = getBuiltinModule('node:path')
const v8 = getBuiltinModule('node:v8')
const { crc32 } = getBuiltinModule('node:zlib')

/** By file of the program. */
type Held = Map<string, Uint8Array>

/** What is loaded later than this is seldom used: what is kept of it need not stay in memory. */
const FIRST_MS = 10_000
/** The names of some hundred files. */
const LONGEST_HEADING = 32_768
/** Some megabyte each. */
const MOST_FILES = 80

/**
 * What V8 compiled of the files of a program, kept from one run to the next in a folder that is the user's alone. V8 refuses what another version of it
 * left, or one with other flags; a file of the program that changes has another name.
 */
export class CompiledCode {
  readonly #program: string
  readonly #file: string | undefined
  #held: Held
  readonly #loaded = new Map<string, Script>()
  readonly #flags = v8.cachedDataVersionTag()
  /** Something was loaded that is not kept yet. */
  #isMore = false

  /** Of the program whose files are in a folder, started under a name. */
  constructor(program: string, name: string) {
    this.#program = program
    this.#file = fileFor(program, name)
    this.#held = this.#file === undefined ? new Map() : heldIn(this.#file)
    setTimeout(() => this.#held.clear(), FIRST_MS).unref()
  }

  of(file: string): Uint8Array | undefined {
    return this.#held.get(file)
  }

  /** A file was loaded. */
  note(file: string, script: Script): void {
    this.#loaded.set(file, script)
    if (script.cachedDataRejected !== false) this.#isMore = true
  }

  /** Writes down what is compiled by now, where something is not kept yet. */
  keep(): void {
    if (this.#file === undefined || !this.#isMore || v8.cachedDataVersionTag() !== this.#flags) return
    this.#isMore = false
    try {
      const held = heldIn(this.#file)
      for (const file of held.keys()) if (!fs.existsSync(path.join(this.#program, file))) held.delete(file)
      for (const [file, script] of this.#loaded) held.set(file, script.createCachedData())
      write(this.#file, held)
    } catch {
      // The next start takes longer, and that is all.
    }
  }
}

/** One for each program, way of starting it and version of Node; none where its user wants none. */
function fileFor(program: string, name: string): string | undefined {
  const { NODE_DISABLE_COMPILE_CACHE, NODE_V8_COVERAGE } = process.env
  if (NODE_DISABLE_COMPILE_CACHE || NODE_V8_COVERAGE) return undefined
  const folder = path.join(os.tmpdir(), `recollect-${process.getuid?.() ?? 'compiled'}`)
  // A name may be whatever somebody typed: it is nobody's business.
  const of = [program, name].map((each) => crc32(each).toString(36)).join('-')
  return path.join(folder, `${of}-${process.version}-${process.arch}`)
}

/** A line that lists the files with their bytes and the sum of all, and then what is compiled of each. */
function heldIn(file: string): Held {
  const held: Held = new Map()
  let fd: number | undefined
  try {
    // Code that others could have written is not run.
    if (!isOurs(path.dirname(file))) return held
    fd = fs.openSync(file, 'r')
    const head = read(fd, Math.min(LONGEST_HEADING, fs.fstatSync(fd).size), 0)
    let at = head.indexOf('\n') + 1
    const { sum, files } = JSON.parse(head.toString('latin1', 0, at)) as Heading
    let found = 0
    for (const [name, bytes] of files) {
      const code = read(fd, bytes, at)
      found = crc32(code, found)
      held.set(name, code)
      at += bytes
    }
    // V8 trusts the bytes.
    if (found !== sum) held.clear()
  } catch {
    // None is there, or none that can be read.
    held.clear()
  } finally {
    if (fd !== undefined) fs.closeSync(fd)
  }
  return held
}

/** By itself: of what does not begin at a whole word V8 makes a copy, and what was large and given back lets the allocator keep more from then on. */
function read(fd: number, bytes: number, at: number): Buffer {
  const buffer = Buffer.allocUnsafeSlow(bytes)
  if (fs.readSync(fd, buffer, 0, bytes, at) < bytes) throw new Error('it ends before')
  return buffer
}

interface Heading {
  sum: number
  files: [name: string, bytes: number][]
}

function write(file: string, held: Held): void {
  const folder = path.dirname(file)
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!isOurs(folder)) return
  const files = Array.from(held, ([name, { length }]): [string, number] => [name, length])
  const sum = [...held.values()].reduce((before, code) => crc32(code, before), 0)
  const heading = Buffer.from(`${JSON.stringify({ sum, files } satisfies Heading)}\n`)
  if (heading.length > LONGEST_HEADING) return
  const beside = `${file}.${process.pid}`
  const fd = fs.openSync(beside, 'w', 0o600)
  try {
    for (const piece of [heading, ...held.values()]) fs.writeFileSync(fd, piece)
  } finally {
    fs.closeSync(fd)
  }
  fs.renameSync(beside, file)
  tidy(folder)
}

/** Leaves what was kept last: other versions and places of the program leave theirs, too. */
function tidy(folder: string): void {
  const files = fs.readdirSync(folder).map((name) => path.join(folder, name))
  if (files.length <= MOST_FILES) return
  const byAge = files.map((file) => ({ file, at: fs.statSync(file).mtimeMs })).sort((a, b) => b.at - a.at)
  for (const { file } of byAge.slice(MOST_FILES / 2)) fs.rmSync(file, { force: true })
}

function isOurs(folder: string): boolean {
  const stat = fs.lstatSync(folder)
  const isPrivate = process.platform === 'win32' || (stat.mode & 0o077) === 0
  return stat.isDirectory() && isPrivate && stat.uid === (process.getuid?.() ?? stat.uid)
}
