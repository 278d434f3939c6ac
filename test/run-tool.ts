import { toolBin } from '../scripts/tools.ts'
import { type Outcome, runCommand } from './run-cli.ts'

/** Runs a tool of test/tools in a clean environment, with a folder as its home and its working directory. */
export async function runTool(name: string, args: string[], home: string): Promise<Outcome> {
  return await runCommand(process.execPath, [toolBin(name), ...args], { HOME: home }, '', home)
}
