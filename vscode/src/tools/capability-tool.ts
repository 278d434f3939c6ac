import * as vscode from 'vscode'
import type { Caller } from '../../../src/service/caller.ts'
import type { Definition } from '../../../src/service/definitions.ts'
import type { Backend } from '../backend.ts'
import { localFolder } from '../places.ts'
import { capabilityOf } from './names.ts'
import { type Answer, type Input, Tool } from './tool.ts'

/** Tokens differ from model to model; three characters each is on the safe side. */
const CHARS_PER_TOKEN = 3

/** One capability as a tool, answering as it does everywhere else. */
export class CapabilityTool extends Tool {
  readonly #backend: Backend
  readonly #capability: string

  constructor(name: string, backend: Backend) {
    super(name, backend.log)
    this.#backend = backend
    this.#capability = capabilityOf(name)
  }

  override async prepareInvocation({
    input,
  }: vscode.LanguageModelToolInvocationPrepareOptions<Input>): Promise<vscode.PreparedToolInvocation> {
    const { prepared } = await import('./wording.ts')
    return prepared(this.#capability, input ?? {})
  }

  protected override async call(
    input: Input,
    { toolInvocationToken, tokenizationOptions }: vscode.LanguageModelToolInvocationOptions<Input>,
  ): Promise<Answer> {
    const secretary = await this.#backend
      .secretary()
      .catch((error: Error) => unavailable(this.#capability, error))
    if ('answer' in secretary) return secretary.answer
    const refusal = refusedHere(secretary.definition(this.#capability), input)
    if (refusal) return refusal
    const { currentDialog } = await import('../current/dialog.ts')
    const budget = tokenizationOptions && tokenizationOptions.tokenBudget * CHARS_PER_TOKEN
    const asking: Caller = this.#backend.agent()
    const caller: Caller = {
      ...asking,
      ...(budget && { budget: Math.min(budget, asking.budget ?? budget) }),
      ...(asksForCurrent(this.#capability, input) &&
        (await currentDialog(this.#backend, secretary, toolInvocationToken))),
    }
    const began = performance.now()
    const answer = await secretary
      .call(this.#capability, input, caller)
      .catch((error: Error) => unavailable(this.#capability, error).answer)
    // The last step of the walkthrough.
    if (toolInvocationToken) (await import('../ticks.ts')).tick('recalled')
    this.#backend.log.debug(`${this.name}: ${Math.round(performance.now() - began)} ms`)
    return isUnavailable(answer) ? unavailable(this.#capability, undefined, answer).answer : answer
  }
}

const SECRETARY = new Set(['get_first_request', 'get_request', 'list_requests'])

/** Whether the answer depends on which dialog is the current one. */
function asksForCurrent(capability: string, { sessionId, chatIds }: Input): boolean {
  if (Array.isArray(chatIds)) return chatIds.includes('current')
  const named = typeof sessionId === 'string' ? sessionId.trim() : ''
  return named === 'current' || (named === '' && SECRETARY.has(capability))
}

/** The contract has one sentence for it where a dialog's own requests are asked for. */
function unavailable(
  capability: string,
  error: Error | undefined,
  said: Answer = { isError: true, message: error?.message },
): { answer: Answer } {
  if (SECRETARY.has(capability))
    return { answer: { success: false, error: 'Service temporarily unavailable' } }
  const hint = error && 'hint' in error ? error.hint : undefined
  return { answer: { ...said, ...(typeof hint === 'string' && { hint }) } }
}

/** The archive cannot be opened: told before anything of it was asked. */
function isUnavailable({ isError, code }: Answer): boolean {
  return isError === true && typeof code === 'string' && code.startsWith('ARCHIVE_')
}

/** What this window cannot do, and why; nothing where it can. */
function refusedHere({ set, name, writes }: Definition, { workspace, path }: Input): Answer | undefined {
  if (writes && !vscode.workspace.isTrusted) {
    return {
      isError: true,
      code: 'WORKSPACE_NOT_TRUSTED',
      message: 'Recollect writes nothing to an untrusted workspace.',
      hint: 'The user can trust it with the command "Workspaces: Manage Workspace Trust".',
    }
  }
  const needsFolder = (set === 'context' && !workspace) || (name === 'export_chats' && isRelative(path))
  if (!needsFolder || localFolder()) return undefined
  const isElsewhere = (vscode.workspace.workspaceFolders?.length ?? 0) > 0
  return {
    isError: true,
    code: 'NO_FOLDER',
    message: isElsewhere
      ? 'The folder of this window is on another machine than Recollect.'
      : 'No folder is open in this window.',
    hint: 'Give `workspace`: the path of a folder on the machine that Recollect runs on.',
  }
}

function isRelative(path: unknown): boolean {
  return typeof path === 'string' && !/^([\\/~]|[A-Za-z]:)/.test(path)
}
