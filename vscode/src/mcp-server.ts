/** The MCP server as VS Code runs it for its agents: on the extension host's own runtime. */
import module from 'node:module'
import { hasSqlite } from './sqlite.ts'

hasSqlite()
// VS Code asks over stdio, whatever its own environment says of other servers.
delete process.env.MCP_PORT
// Compiled code is kept in the system's folder for temporary files: the next start takes half the time.
module.enableCompileCache?.()
await import('../../src/cli/mcp-server.ts')
