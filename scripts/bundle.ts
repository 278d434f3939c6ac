import fs from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { licencesOf, packagesOf } from './licences.ts'

const root = path.join(import.meta.dirname, '..')

interface Options {
  /** Where it is written. */
  dir: string
  /** Files that are started, by name and path from the root. */
  input: Record<string, string>
  /** What is there where it runs. */
  external?: string[]
  /** Modules to be kept in one chunk, where each file takes its while to load. */
  together?: RegExp
}

/** The command line, and what is loaded by other programs and threads. */
export async function bundleCommand(dir: string): Promise<void> {
  await bundled({
    dir,
    input: {
      recollect: 'src/cli/main.ts',
      'mcp-server': 'src/cli/mcp-server.ts',
      client: 'src/client/client.ts',
      // A thread of its own: see src/hub/background.ts.
      'hub-worker': 'src/hub/hub-worker.ts',
    },
  })
}

/**
 * Bundles code for Node with all that it needs: a file for each input, chunks for what is loaded
 * later, and the licences of the packages inside.
 */
export async function bundled({ dir, input, external = [], together }: Options): Promise<void> {
  const bundle = await rolldown({
    input: {
      ...input,
      // A thread is started from a file of its own: see src/sync/background.ts and read-in-threads.ts.
      'background-worker': 'src/sync/background-worker.ts',
      'reader-worker': 'src/sync/reader-worker.ts',
      'regex-worker': 'src/search/regex-worker.ts',
      'aside-worker': 'src/service/aside-worker.ts',
    },
    // Asked for by the terminal's library when it is being worked on.
    external: [...external, 'react-devtools-core'],
    // Its other form asks for files by names that no bundler can follow.
    resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
    transform: {
      // The oldest that the package says it runs on, and VS Code's since 1.104.
      target: 'node22',
      // React checks every call twice otherwise.
      define: { 'process.env.NODE_ENV': '"production"' },
    },
    platform: 'node',
    cwd: root,
  })
  const { output } = await bundle.write({
    dir,
    format: 'esm',
    minify: true,
    chunkFileNames: '[name]-[hash].js',
    ...(together && { codeSplitting: { groups: [{ name: 'together', test: together }] } }),
  })
  await bundle.close()
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
}
