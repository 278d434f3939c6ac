import fs from 'node:fs'
import path from 'node:path'
import type { CodeSplittingNameFunction } from 'rolldown'
import { closureOf } from './vscode-chunks.ts'

/** What is loaded one after the other by whoever is waited for most, each by the files that are asked for. */
const STAGES: Record<string, string[]> = {
  // A server: its greeting, before which settings are read where there are any, its list of tools, the protocol's library around them, and a search.
  greeting: ['src/cli/mcp-server.ts'],
  settings: ['src/cli/check-settings.ts'],
  serving: [
    'src/cli/commands/mcp.ts',
    'src/cli/terminal.ts',
    'src/mcp/stdio.ts',
    'src/mcp/tools.ts',
    'src/mcp/caller.ts',
    'src/capabilities/index.ts',
  ],
  protocol: ['src/mcp/server.ts', 'src/mcp/subscribed.ts', 'src/mcp/unanswered.ts', 'src/mcp/well-formed.ts'],
  archive: ['src/cli/archive.ts'],
  search: ['src/search/search.ts'],
  // A command.
  line: ['src/cli/main.ts'],
  asking: ['src/cli/commands/search.ts', 'src/cli/commands/list.ts', 'src/cli/commands/status.ts'],
  // The thread that syncs.
  sync: ['src/sync/background-worker.ts', 'src/sources/index.ts', 'src/sync/readable.ts'],
}

/**
 * The chunks of the package: what the same stages load is in one file, named after them, so that each is loaded with few, and with
 * nothing that it does not need. The rest is left to the bundler, which makes a file for what the same commands load: by that rule alone a
 * first search loaded a hundred (docs/decisions/0076-first-search-fewer-files.md).
 */
export function stageChunks(root: string): CodeSplittingNameFunction {
  const stages = Object.entries(STAGES).map(([name, files]) => {
    const paths = files.map((file) => path.join(root, file))
    for (const file of paths)
      if (!fs.existsSync(file)) throw new Error(`${file} is gone: see stage-chunks.ts`)
    return { name, paths, loaded: undefined as Set<string> | undefined }
  })
  return (id, graph) => {
    if (graph.getModuleInfo(id)?.isEntry) return null
    const names = stages.flatMap((stage) => {
      stage.loaded ??= closureOf(stage.paths, (each) => graph.getModuleInfo(each)?.importedIds ?? [])
      return stage.loaded.has(id) ? [stage.name] : []
    })
    return names.join('-') || null
  }
}
