/**
 * The MCP server without the command line around it: what plugins and bundles start, and `recollect mcp` without options.
 * The client waits for its greeting, so that little is loaded before.
 */
import fs from 'node:fs'
import path from 'node:path'
import { greeted } from '../mcp/greeter.ts'
import { recollectHome, thisMachine } from '../platform/machine.ts'

const { env } = process

void serve()

async function serve(): Promise<void> {
  try {
    // What is set may be a reason not to begin.
    const hasSettings =
      env.CONTEXT_FILE_NAME !== undefined ||
      env.WORKSPACE !== undefined ||
      fs.existsSync(path.join(recollectHome(thisMachine()), 'config.json'))
    if (hasSettings) (await import('./check-settings.ts')).checkSettings({})
    const greeter = env.MCP_PORT ? undefined : greeted()
    await greeter?.first
    const [{ mcp }, { guardTerminal, unheard }] = await Promise.all([
      import('./commands/mcp.ts'),
      import('./terminal.ts'),
    ])
    guardTerminal(process.stderr)
    process.stderr.on('error', unheard)
    await mcp({}, greeter)
  } catch (error) {
    const { fail } = await import('./errors.ts')
    fail(error)
  }
}
