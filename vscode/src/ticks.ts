import { setTimeout as sleep } from 'node:timers/promises'
import * as vscode from 'vscode'

/** The steps of the walkthrough, as the contexts that tick them. */
export type Step = 'synced' | 'viewed' | 'searched' | 'recalled'

const done = new Set<Step>()
/** VS Code needs a moment to have the walkthrough's steps. */
const SHOWN_MS = 1_500

/** The person has done this. */
export function tick(step: Step): void {
  if (done.has(step)) return
  done.add(step)
  void say(step, true)
}

/**
 * Opens the walkthrough with what was done ticked. VS Code ticks a step when its context changes, and
 * takes no notice of what was so before it first had the steps: so it is told once more.
 */
export async function openWalkthrough(extension: string): Promise<void> {
  const before = [...done]
  for (const step of before) await say(step, undefined)
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extension}#start`, false)
  await sleep(SHOWN_MS)
  for (const step of before) await say(step, true)
}

async function say(step: Step, value: true | undefined): Promise<void> {
  await vscode.commands.executeCommand('setContext', `recollect.${step}`, value)
}
