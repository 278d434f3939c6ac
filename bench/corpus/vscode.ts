import fs from 'node:fs'
import path from 'node:path'
import type { Dice } from './dice.ts'
import type { Project } from './project.ts'
import { clock, jsonl, type Script, type Turn, type Written, write } from './script.ts'
import type { ToolUse } from './tools.ts'

export function writeVscode(
  home: string,
  { id, title, model, startedAt, project, turns }: Script,
  dice: Dice,
): Written {
  const time = clock(startedAt, dice)
  const log: object[] = []
  turns.forEach((turn, number) => {
    time.pass(200)
    const request = {
      requestId: `request_${dice.uuid()}`,
      timestamp: time.now(),
      agent: { id: 'github.copilot.editsAgent', name: 'agent' },
      modelId: `copilot/${model}`,
      responseId: `response_${dice.uuid()}`,
      modelState: { value: 0 },
      response: [],
      message: { text: turn.request, parts: [{ kind: 'text', text: turn.request }] },
      variableData: { variables: [] },
    }
    if (number === 0) {
      const session = {
        version: 3,
        creationDate: startedAt,
        initialLocation: 'panel',
        responderUsername: 'GitHub Copilot',
        sessionId: id,
        requests: [request],
      }
      log.push({ kind: 0, v: session }, { kind: 1, k: ['customTitle'], v: title })
    } else log.push({ kind: 2, k: ['requests'], v: [request] })

    if (turn.answer === undefined) return
    const set = (field: string, v: unknown) => log.push({ kind: 1, k: ['requests', number, field], v })
    const { parts, metadata } = vscodeResponse(turn, id, project, dice)
    for (const entry of savedInSteps(parts, dice))
      log.push({ kind: 2, k: ['requests', number, 'response'], ...entry })
    const totalElapsed = time.pass(20 * (1 + turn.rounds.length)) - request.timestamp
    set('result', { timings: { firstProgress: 1000 + dice.int(2000), totalElapsed }, metadata })
    set('modelState', { value: 1, completedAt: time.now() })
    set('promptTokens', 12_000 + dice.int(60_000))
    set('completionTokens', 40 + dice.int(3000))
  })
  const folder = `.config/Code/User/workspaceStorage/${project.storageId}`
  let bytes = write(home, `${folder}/chatSessions/${id}.jsonl`, jsonl(log), time.now())
  const workspace = `${folder}/workspace.json`
  const known = fs.existsSync(path.join(home, workspace))
  if (!known)
    bytes += write(home, workspace, JSON.stringify({ folder: `file://${project.folder}` }), startedAt)
  return { files: known ? 1 : 2, bytes }
}

function vscodeResponse({ rounds, answer = '' }: Turn, sessionId: string, project: Project, dice: Dice) {
  const parts: object[] = []
  const toolCallRounds: object[] = []
  const toolCallResults: Record<string, object> = {}
  for (const { thinking, text = '', use } of rounds) {
    const toolCallId = `call_${dice.hex(22)}`
    const resultId = `${toolCallId}__vscode-${dice.int(1e9)}`
    const { toolId, name, args } = vscodeCall(use, project)
    if (thinking) parts.push({ kind: 'thinking', value: thinking, id: `thinking_${parts.length}` })
    if (text) parts.push({ value: text })
    const invocationMessage = { value: `Using ${name}` }
    parts.push({ kind: 'toolInvocationSerialized', toolId, toolCallId, invocationMessage, isComplete: true })
    const toolCalls = [{ name, arguments: JSON.stringify(args), id: resultId }]
    toolCallRounds.push({ response: text, toolCalls, id: dice.uuid() })
    toolCallResults[resultId] = { $mid: 20, content: [{ $mid: 21, value: use.output }] }
  }
  parts.push({ value: answer })
  return { parts, metadata: { toolCallRounds, toolCallResults, sessionId } }
}

/** Now and then VS Code saves in the middle of an answer, and rewrites the cut part with the next save. */
function savedInSteps(parts: object[], dice: Dice): { v: object[]; i?: number }[] {
  const last = parts.at(-1) as { value: string }
  if (last.value.length < 200 || dice.chance(0.85)) return [{ v: parts }]
  const cut = { value: last.value.slice(0, last.value.length >> 1) }
  return [{ v: [...parts.slice(0, -1), cut] }, { v: [last], i: parts.length - 1 }]
}

function vscodeCall({ action, path, command, before, after }: ToolUse, { folder }: Project) {
  const filePath = `${folder}/${path}`
  if (action === 'read') return { toolId: 'copilot_readFile', name: 'read_file', args: { filePath } }
  if (action === 'run') return { toolId: 'run_in_terminal', name: 'run_in_terminal', args: { command } }
  if (action === 'search') {
    return { toolId: 'copilot_findTextInFiles', name: 'grep_search', args: { query: command } }
  }
  const args = { filePath, oldString: before, newString: after }
  return { toolId: 'copilot_replaceString', name: 'replace_string_in_file', args }
}
