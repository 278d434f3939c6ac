import fs from 'node:fs'
import path from 'node:path'
import type { CodeSplittingNameFunction } from 'rolldown'

/** Neighbours in the order in which rooms import. */
const CHUNKS: Record<string, string[]> = {
  base: ['model', 'platform'],
  archive: ['archive', 'sync', 'hub'],
  service: ['search', 'recall', 'context', 'capabilities', 'service'],
  mcp: ['server', 'mcp', 'http', 'cli'],
}

/** Chunks for what starts quickly loads of these rooms; the rest of it is in many small ones. */
const LIGHT: Record<string, string> = { model: 'light', platform: 'light', archive: 'light-archive' }

/**
 * The chunks of the extension: one for what its start loads, some for the rooms, one for each package. Rooms import one
 * way, so chunks do too. Three hundred small files would take a third more of the package, each compressed by itself
 * (docs/decisions/0053-size-of-the-extension.md).
 */
export function roomChunks(root: string): CodeSplittingNameFunction {
  const at = (file: string) => path.join(root, file)
  /** What is loaded with a file, before it runs. */
  const closures = new Map<string, Set<string>>()
  return (id, graph) => {
    const loadedWith = (...files: string[]) =>
      files.some((file) => {
        const known =
          closures.get(file) ?? closureOf([at(file)], (each) => graph.getModuleInfo(each)?.importedIds ?? [])
        closures.set(file, known)
        return known.has(id)
      })
    const [, name] = /[\\/]node_modules[\\/](@?[^\\/]+)/.exec(id) ?? []
    if (graph.getModuleInfo(id)?.isEntry) return null
    // These start quickly, with little, and where there is no editor: nothing of them may be in a chunk that asks for one.
    if (loadedWith('vscode/src/mcp-server.ts', 'src/cli/mcp-server.ts', 'src/search/regex-worker.ts'))
      return LIGHT[/^src[\\/](\w+)/.exec(path.relative(root, id))?.[1] ?? ''] ?? null
    if (loadedWith('vscode/src/extension.ts')) return 'start'
    if (name) return name.replace('@', '')
    const [, where = '', room = ''] = /^(vscode[\\/])?src[\\/](\w+)/.exec(path.relative(root, id)) ?? []
    // What stands in for modules that are left out is asked for from any room.
    if (where) return /[\\/]left-out[\\/]/.test(id) ? 'base' : 'window'
    if (room !== 'sources') return Object.keys(CHUNKS).find((chunk) => CHUNKS[chunk]?.includes(room)) ?? null
    // The list of assistants is asked for all the time, their formats only where files are read.
    return loadedWith('src/sources/index.ts', 'src/sources/names.ts') ? room : 'formats'
  }
}

/** What a bundled file loads at once that asks for the editor. */
export function askingForEditor(dist: string, entry: string): string[] {
  const textOf = (file: string) => fs.readFileSync(path.join(dist, file), 'utf8')
  const imported = (file: string) =>
    [...textOf(file).matchAll(/\b(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)].map(([, name]) => name!)
  return [...closureOf([entry], imported)].filter((file) =>
    /\b(?:from|import)\s*["']vscode["']/.test(textOf(file)),
  )
}

/** Files and all that is loaded with them. */
export function closureOf(
  files: readonly string[],
  imported: (id: string) => readonly string[],
): Set<string> {
  const found = new Set(files)
  for (const id of found) for (const each of imported(id)) found.add(each)
  return found
}
