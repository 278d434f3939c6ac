import type { Dice } from './dice.ts'
import type { Project } from './project.ts'
import { clock, jsonl, type Script, type Written, write } from './script.ts'
import type { ToolUse } from './tools.ts'

export function writeCopilotCli(
  home: string,
  { id, title, model, startedAt, project, turns }: Script,
  dice: Dice,
): Written {
  const time = clock(startedAt, dice)
  const events: object[] = []
  let parentId: string | null = null
  let tokens = 0

  function event(type: string, data: object) {
    const eventId = dice.uuid()
    events.push({ type, data, id: eventId, timestamp: new Date(time.now()).toISOString(), parentId })
    parentId = eventId
  }
  function assistant(content: string, turnId: number, toolRequests: object[], reasoningText?: string) {
    time.pass(6)
    const outputTokens = 40 + dice.int(900)
    tokens += outputTokens
    event('assistant.message', {
      messageId: dice.uuid(),
      model,
      content,
      toolRequests,
      turnId: String(turnId),
      ...(reasoningText && { reasoningText }),
      outputTokens,
    })
  }

  const context = { cwd: project.folder, gitRoot: project.folder, branch: project.branch }
  const start = { sessionId: id, version: 1, producer: 'copilot-agent', copilotVersion: '1.0.60' }
  event('session.start', {
    ...start,
    startTime: new Date(startedAt).toISOString(),
    selectedModel: model,
    context,
  })
  for (const turn of turns) {
    time.pass(200)
    event('user.message', { content: turn.request, messageId: dice.uuid(), attachments: [] })
    let turnId = 0
    for (const { thinking, text, use } of turn.rounds) {
      const toolCallId = `call_${dice.hex(22)}`
      const { name, args } = copilotCall(use, project)
      assistant(text ?? '', turnId, [{ toolCallId, name, arguments: args, type: 'function' }], thinking)
      event('tool.execution_start', { toolCallId, toolName: name, arguments: args })
      time.pass(3)
      event('tool.execution_complete', { toolCallId, success: true, result: { content: use.output } })
      turnId++
    }
    if (turn.answer !== undefined) assistant(turn.answer, turnId, [])
  }
  const usage = { inputTokens: tokens * 20, outputTokens: tokens, cacheReadTokens: tokens * 17 }
  const modelMetrics = { [model]: { requests: { count: turns.length, cost: turns.length }, usage } }
  event('session.shutdown', { shutdownType: 'routine', sessionStartTime: startedAt, modelMetrics })

  const folder = `.copilot/session-state/${id}`
  const about = {
    id,
    cwd: project.folder,
    git_root: project.folder,
    repository: `alex/${project.name}`,
    branch: project.branch,
    client_name: 'github/cli',
    name: JSON.stringify(title),
    created_at: new Date(startedAt).toISOString(),
    updated_at: new Date(time.now()).toISOString(),
  }
  const yaml = Object.entries(about).map(([key, value]) => `${key}: ${value}\n`)
  const bytes =
    write(home, `${folder}/events.jsonl`, jsonl(events), time.now()) +
    write(home, `${folder}/workspace.yaml`, yaml.join(''), time.now())
  return { files: 2, bytes }
}

function copilotCall({ action, path: file, command, before, after }: ToolUse, { folder }: Project) {
  const path = `${folder}/${file}`
  if (action === 'read') return { name: 'view', args: { path } }
  if (action === 'run') return { name: 'bash', args: { command, description: 'Run a command' } }
  if (action === 'search') return { name: 'grep', args: { pattern: command, path: folder } }
  return { name: 'edit', args: { path, old_str: before, new_str: after } }
}
