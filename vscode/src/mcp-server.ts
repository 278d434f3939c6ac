/**
 * The MCP server as VS Code runs it for its agents: on the extension host's own runtime, which may be
 * an older Node that calls its SQLite experimental at every start.
 */
import module from 'node:module'

const emit = process.emitWarning.bind(process)
process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
  const [given] = rest
  const type = given && typeof given === 'object' && 'type' in given ? given.type : given
  if (type !== 'ExperimentalWarning') Reflect.apply(emit, process, [warning, ...rest])
}
// Compiled code is kept in the system's folder for temporary files: the next start takes half the time.
module.enableCompileCache?.()
await import('../../src/cli/mcp-server.ts')
