import { keepCompiledBy, SHORT_S } from '../kept-code.ts'
import { LESS_MEMORY, LITTLE_MEMORY, LITTLE_MEMORY_LATER, setFlags } from '../little-memory.ts'
import { CompiledCode } from './compiled-code.ts'

const { getBuiltinModule } = process
const fs = getBuiltinModule('node:fs')
const path = getBuiltinModule('node:path')
const vm = getBuiltinModule('node:vm')

/** What V8 compiled holds for one set of its flags: who sets some of its own has them from the beginning. */
const FLAGS: Record<string, readonly string[]> = {
  mcp: LITTLE_MEMORY_LATER,
  serve: LITTLE_MEMORY,
  sync: LESS_MEMORY,
  'sync-process': LESS_MEMORY,
}

/**
 * Runs a built program: `code` is its file among those in `code/` below `folder`; what is compiled is kept by `name`, a command's or a thread's.
 *
 * Node itself would keep of each file what V8 compiles when it is loaded, which is what runs at once. A function that is called later is parsed
 * and compiled when that happens, at every start: a third of what a first search takes. So files are loaded here, each as one function, with all that was
 * compiled by the time it was kept (docs/decisions/0079-code-kept-compiled.md).
 */
export function start(folder: string, code: string, name = ''): void {
  setFlags(FLAGS[name] ?? [])
  const program = path.join(folder, 'code')
  const compiled = new CompiledCode(program, name)
  keepCompiledBy(() => compiled.keep())
  // Not at the very end: it takes memory, and who is ended by `process.exit` might wait for ever (`exit.ts`).
  process.once('beforeExit', () => {
    if (process.uptime() < SHORT_S) compiled.keep()
  })
  const loaded = new Map<string, { exports: unknown }>()
  const load = (file: string): unknown => {
    const known = loaded.get(file)
    if (known) return known.exports
    const module = { exports: {} }
    loaded.set(file, module)
    const text = fs.readFileSync(path.join(program, file), 'latin1')
    const script = new vm.Script(`(function(exports,require,__filename,__dirname){${text}\n})`, {
      // As if it stood in the folder itself: the tables and the programs of threads do.
      filename: path.join(folder, file),
      cachedData: compiled.of(file) as Buffer | undefined,
    })
    compiled.note(file, script)
    script.runInThisContext()(module.exports, required, path.join(folder, file), folder)
    return module.exports
  }
  const required = Object.assign(
    (id: string): unknown => (id.startsWith('./') ? load(id.slice(2)) : builtin(id)),
    { module: imported },
  )
  load(code)
}

const modules = new Map<string, unknown>()

/** A module of Node as code that imports it sees it: by its names, and itself as `default`. */
function imported(id: string): unknown {
  const known = modules.get(id)
  if (known) return known
  const given = builtin(id)
  const module = Object.create(given, { default: { value: given } })
  modules.set(id, module)
  return module
}

function builtin(id: string): object {
  const given: object | undefined = getBuiltinModule(id)
  if (!given) throw new Error(`Cannot find module '${id}'`)
  return given
}
