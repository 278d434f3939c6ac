import fs from 'node:fs'
import path from 'node:path'
import { type CodeSplittingNameFunction, type OutputOptions, type Plugin, rolldown } from 'rolldown'
import { asFunctions } from './as-functions.ts'
import { licencesOf, packagesOf } from './licences.ts'
import { stageChunks } from './stage-chunks.ts'
import { terminalLibrary } from './terminal-library.ts'
import { withoutFacades } from './without-facades.ts'

const root = path.join(import.meta.dirname, '..')

interface Options {
  /** Where it is written. */
  dir: string
  /** Files that are started, by name and path from the root. */
  input: Record<string, string>
  /** What is there where it runs. */
  external?: string[]
  /** Files to be taken in place of others, by their paths from the root. */
  instead?: Record<string, string>
  plugins?: Plugin[]
  /** How its files are named and made. */
  output: OutputOptions
  /** The chunk that a module is put into, where it is not left to the bundler: each file takes its while to load, and its bytes in a package. */
  chunkOf?: CodeSplittingNameFunction
}

/** The command line, and what is loaded by other programs and threads. */
export async function bundleCommand(dir: string): Promise<void> {
  await bundledProgram(dir, {
    recollect: 'src/cli/main.ts',
    'mcp-server': 'src/cli/mcp-server.ts',
    // A thread of its own: see src/hub/background.ts.
    'hub-worker': 'src/hub/hub-worker.ts',
  })
  await bundledAlone('src/client/client.ts', path.join(dir, 'client.js'), 'esm')
}

/**
 * A program that `src/platform/built/start.ts` runs: its code in `code/`, and beside it a file for each that is started, which says so, the tables that it
 * looks up in place and the licences of the packages inside.
 */
export async function bundledProgram(dir: string, input: Record<string, string>): Promise<void> {
  const { output } = await bundled({
    dir,
    input,
    chunkOf: stageChunks(root),
    plugins: [terminalLibrary, asFunctions],
    output: {
      format: 'cjs',
      // What V8 has compiled of a file is known by the file's name.
      entryFileNames: 'code/[name]-[hash].cjs',
      chunkFileNames: 'code/[name]-[hash].cjs',
    },
  })
  for (const file of output) {
    if (file.type !== 'chunk' || !file.isEntry) continue
    // What is kept of a command's code is known by the command.
    const kept = file.name === 'mcp-server' ? 'mcp' : file.name
    const name = file.name === 'recollect' ? 'process.argv[2]' : JSON.stringify(kept)
    const code = JSON.stringify(path.basename(file.fileName))
    fs.writeFileSync(
      path.join(dir, `${file.name}.cjs`),
      `require("./start.cjs").start(__dirname,${code},${name})\n`,
    )
  }
  await bundledAlone('src/platform/built/start.ts', path.join(dir, 'start.cjs'), 'cjs')
}

/** One file with all that it needs. */
async function bundledAlone(input: string, file: string, format: 'esm' | 'cjs'): Promise<void> {
  const bundle = await rolldown({ input, platform: 'node', cwd: root })
  await bundle.write({ file, format, minify: true, comments: false })
  await bundle.close()
}

/** A program as modules, for who has a way to load them. */
export async function bundledModules({
  chunkFileNames,
  ...options
}: Omit<Options, 'output' | 'plugins'> & { chunkFileNames?: string }): Promise<void> {
  await bundled({ ...options, plugins: [withoutFacades], output: { format: 'esm', chunkFileNames } })
}

/**
 * Bundles code for Node with all that it needs: a file for each input, chunks for what is loaded
 * later, and the licences of the packages inside.
 */
async function bundled({
  dir,
  input,
  external = [],
  instead = {},
  plugins = [],
  output: form,
  chunkOf = () => null,
}: Options) {
  const bundle = await rolldown({
    input: {
      ...input,
      // A thread or a process is started from a file of its own: see src/sync/background.ts, read-in-threads.ts and src/platform/beside.ts.
      'background-worker': 'src/sync/background-worker.ts',
      'sync-process': 'src/sync/sync-process.ts',
      'reader-worker': 'src/sync/reader-worker.ts',
      'regex-worker': 'src/search/regex-worker.ts',
      'aside-worker': 'src/service/aside-worker.ts',
    },
    // Asked for by the terminal's library when it is being worked on.
    external: [...external, 'react-devtools-core'],
    // Its other form asks for files by names that no bundler can follow.
    resolve: {
      alias: {
        'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
        // As modules, of which only those that are used are taken.
        yaml: path.join(root, 'node_modules/yaml/browser/dist/index.js'),
        '@modelcontextprotocol/server/_shims': path.join(import.meta.dirname, 'mcp-shims.ts'),
      },
    },
    transform: {
      // The oldest that the package says it runs on, and VS Code's since 1.104.
      target: 'node22',
      // React checks every call twice otherwise.
      define: { 'process.env.NODE_ENV': '"production"' },
    },
    platform: 'node',
    // It only defines, and does not say so.
    treeshake: { moduleSideEffects: [{ test: /node_modules.yaml/, sideEffects: false }] },
    plugins: [taking(instead), withoutSqlComments, ...plugins],
    preserveEntrySignatures: 'allow-extension',
    // What is loaded later may be in one chunk with what loads it, on purpose.
    checks: { ineffectiveDynamicImport: false },
    cwd: root,
  })
  const written = await bundle.write({
    dir,
    // Reading a property changes nothing in our code, nor in what we bring along.
    minify: {
      compress: { treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false } },
      mangle: true,
      codegen: true,
    },
    // Licences are in a file of their own.
    comments: false,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: chunkOf, debugName: 'chunks' }],
    },
    ...form,
  })
  await bundle.close()
  const { output } = written
  const data = path.join(root, 'data')
  // Tables that are looked up in place: see src/platform/data-file.ts.
  if (fs.existsSync(data)) fs.cpSync(data, dir, { recursive: true })
  const packages = packagesOf(output.flatMap((file) => ('moduleIds' in file ? file.moduleIds : [])))
  fs.writeFileSync(path.join(dir, 'THIRD-PARTY-LICENCES.txt'), licencesOf(packages))
  const bytes = output.reduce((sum, file) => sum + ('code' in file ? Buffer.byteLength(file.code) : 0), 0)
  const name = path.relative(root, dir)
  console.log(
    `${name}: ${output.length} files, ${(bytes / 1000).toFixed(0)} kB, ${packages.length} packages inside`,
  )
  return written
}

/** Comments in the definitions of tables are for who reads these here: 2 kB of the packed extension. */
const withoutSqlComments: Plugin = {
  name: 'without-sql-comments',
  transform: {
    filter: { id: /archive.sqlite.(schema|as-typed)\.ts$/ },
    handler: (code) => code.replace(/^ *-- .*\n| +-- .*$/gm, ''),
  },
}

function taking(instead: Record<string, string>): Plugin {
  const files = new Map(
    Object.entries(instead).map(([from, to]) => [path.join(root, from), path.join(root, to)]),
  )
  return {
    name: 'instead',
    resolveId(source, importer) {
      return importer && source.startsWith('.')
        ? files.get(path.join(path.dirname(importer), source))
        : undefined
    },
  }
}
