/** The MCP server without the command line around it: what plugins and bundles start. */
import { mcp } from './commands/mcp.ts'
import { fail } from './errors.ts'

await mcp({}).catch((error: unknown) => fail(error))
