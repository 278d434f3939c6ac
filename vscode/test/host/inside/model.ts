import * as vscode from 'vscode'

/** What the model says in one round: words, or a call of a tool. */
export type Say = { text: string } | { tool: string; input: object }

/** One round as the model saw it. */
export interface Round {
  /** The names of the tools that it was offered. */
  tools: string[]
  /** What the tools that it had called gave back. */
  results: string[]
}

interface Script {
  title: string
  rounds: Say[][]
  seen: Round[]
}

let script: Script = { title: 'Untitled', rounds: [], seen: [] }

/** What the model is to say from now on, round by round, and the title it gives to the dialog. */
export function playScript(title: string, rounds: Say[][]): Round[] {
  script = { title, rounds, seen: [] }
  return script.seen
}

/** A model that says what a test wrote for it, so that a real agent turn needs no network. */
export const scriptedModel: vscode.LanguageModelChatProvider = {
  provideLanguageModelChatInformation: () => [information],
  provideTokenCount: async (_model, content) => Math.ceil(JSON.stringify(content).length / 4),
  async provideLanguageModelChatResponse(_model, messages, options, progress) {
    const say = (words: string) => progress.report(new vscode.LanguageModelTextPart(words))
    const tools = options.tools?.map(({ name }) => name) ?? []
    // Copilot asks on the side for titles and suggestions; those requests have no tools.
    if (tools.length === 0) return say(sideAnswer(messages, script.title))
    script.seen.push({ tools, results: lastResults(messages) })
    for (const part of script.rounds.shift() ?? [{ text: 'Nothing is scripted for this.' }]) {
      if ('text' in part) say(part.text)
      else progress.report(new vscode.LanguageModelToolCallPart(callId(), part.tool, part.input))
    }
  },
}

const information = {
  id: 'small',
  name: 'Scripted',
  family: 'scripted',
  version: '1',
  maxInputTokens: 100_000,
  maxOutputTokens: 4_000,
  capabilities: { toolCalling: true, imageInput: false },
  // Not in the stable typings yet: without them the picker does not take the model.
  isUserSelectable: true,
  isDefault: true,
}

type Message = vscode.LanguageModelChatRequestMessage

function sideAnswer(messages: readonly Message[], title: string): string {
  const asked = messages.map(textOf).join('\n')
  if (/JSON array/.test(asked)) return '[]'
  return /title/i.test(asked) ? title : 'On the side.'
}

function textOf({ content }: { content: readonly unknown[] }): string {
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('')
}

/** What the tools called in the last round gave back. */
function lastResults(messages: readonly Message[]): string[] {
  const { Assistant } = vscode.LanguageModelChatMessageRole
  const last = messages.findLastIndex(({ role }) => role === Assistant)
  return messages
    .slice(last + 1)
    .flatMap(({ content }) => content)
    .filter((part) => part instanceof vscode.LanguageModelToolResultPart)
    .map(({ content }) => textOf({ content }))
}

let calls = 0
const callId = () => `call_${++calls}`
