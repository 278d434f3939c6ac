import * as vscode from 'vscode'

export type Input = Record<string, unknown>
export type Answer = Record<string, unknown>

/**
 * A tool that models may call. It answers whatever happens: a subclass writes `call`, and what that
 * throws becomes an answer that the model can read.
 */
export abstract class Tool implements vscode.LanguageModelTool<Input> {
  readonly name: string
  readonly #log: Pick<vscode.LogOutputChannel, 'error' | 'debug'>

  constructor(name: string, log: Pick<vscode.LogOutputChannel, 'error' | 'debug'>) {
    this.name = name
    this.#log = log
  }

  async invoke(
    options: vscode.LanguageModelToolInvocationOptions<Input>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    try {
      const input = options.input && typeof options.input === 'object' ? options.input : {}
      return asResult(await unlessCancelled(token, () => this.call(input, options, token)))
    } catch (error) {
      if (error instanceof vscode.CancellationError) throw error
      const message = error instanceof Error ? error.message : String(error)
      this.#log.error(`${this.name}: ${error instanceof Error ? (error.stack ?? message) : message}`)
      return asResult({ isError: true, message })
    }
  }

  abstract prepareInvocation(
    options: vscode.LanguageModelToolInvocationPrepareOptions<Input>,
    token: vscode.CancellationToken,
  ): Promise<vscode.PreparedToolInvocation>

  protected abstract call(
    input: Input,
    options: vscode.LanguageModelToolInvocationOptions<Input>,
    token: vscode.CancellationToken,
  ): Promise<Answer>
}

function asResult(answer: Answer): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(JSON.stringify(answer))])
}

/** The answer, or an end at once when nobody waits for it any more. */
async function unlessCancelled<T>(token: vscode.CancellationToken, work: () => Promise<T>): Promise<T> {
  if (token.isCancellationRequested) throw new vscode.CancellationError()
  let listening: vscode.Disposable | undefined
  const cancelled = new Promise<never>((_, reject) => {
    listening = token.onCancellationRequested(() => reject(new vscode.CancellationError()))
  })
  try {
    return await Promise.race([work(), cancelled])
  } finally {
    listening?.dispose()
  }
}
