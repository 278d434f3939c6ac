import { RecollectError } from '../../../src/model/errors.ts'

/** In place of the server over HTTP, which the extension does not bring along. */
export async function serveOverHttp(): Promise<never> {
  throw new RecollectError(
    'INVALID_ARGUMENT',
    'The MCP server of the extension is asked over stdio only.',
    'Run `recollect mcp --http` for one over HTTP.',
  )
}
