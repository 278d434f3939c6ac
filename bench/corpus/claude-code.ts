import type { Dice } from './dice.ts'
import type { Project } from './project.ts'
import { clock, jsonl, type Script, type Written, write } from './script.ts'
import type { ToolUse } from './tools.ts'

export function writeClaudeCode(
  home: string,
  { id, title, model, startedAt, project, turns }: Script,
  dice: Dice,
): Written {
  const time = clock(startedAt, dice)
  const where = { cwd: project.folder, sessionId: id, version: '2.1.240', gitBranch: project.branch }
  const records: object[] = [{ type: 'ai-title', aiTitle: title, sessionId: id }]
  let parentUuid: string | null = null
  let context = 15_000

  function record(fields: object) {
    const uuid = dice.uuid()
    const timestamp = new Date(time.now()).toISOString()
    records.push({ parentUuid, isSidechain: false, ...fields, uuid, timestamp, ...where })
    parentUuid = uuid
  }
  /** One line for each block, all with the same message id, as Claude Code does. */
  function assistant(blocks: object[], stop_reason: string) {
    const output_tokens = 40 + dice.int(900)
    const usage = {
      input_tokens: 2 + dice.int(10),
      cache_creation_input_tokens: dice.int(3000),
      cache_read_input_tokens: context,
      output_tokens,
    }
    context += output_tokens
    const id = `msg_01${dice.hex(22)}`
    for (const block of blocks) {
      time.pass(4)
      const message = { id, role: 'assistant', model, content: [block], stop_reason, usage }
      record({ type: 'assistant', message })
    }
  }

  for (const turn of turns) {
    time.pass(200)
    record({ type: 'user', message: { role: 'user', content: turn.request } })
    for (const { thinking, text, use } of turn.rounds) {
      const callId = `toolu_01${dice.hex(22)}`
      const blocks: object[] = []
      if (thinking) blocks.push({ type: 'thinking', thinking, signature: '' })
      if (text) blocks.push({ type: 'text', text })
      blocks.push({ type: 'tool_use', id: callId, ...claudeCall(use, project) })
      assistant(blocks, 'tool_use')
      time.pass(3)
      const content = [{ tool_use_id: callId, type: 'tool_result', content: use.output, is_error: false }]
      record({ type: 'user', message: { role: 'user', content } })
    }
    if (turn.answer !== undefined) assistant([{ type: 'text', text: turn.answer }], 'end_turn')
  }
  records.push({
    type: 'last-prompt',
    lastPrompt: turns.at(-1)!.request.slice(0, 200),
    leafUuid: parentUuid,
    sessionId: id,
  })
  const folder = project.folder.replace(/[^A-Za-z0-9]/g, '-')
  const bytes = write(home, `.claude/projects/${folder}/${id}.jsonl`, jsonl(records), time.now())
  return { files: 1, bytes }
}

function claudeCall({ action, path, command, before, after }: ToolUse, { folder }: Project) {
  const file_path = `${folder}/${path}`
  if (action === 'read') return { name: 'Read', input: { file_path } }
  if (action === 'run') return { name: 'Bash', input: { command, description: 'Run a command' } }
  if (action === 'search') return { name: 'Grep', input: { pattern: command, output_mode: 'content' } }
  return { name: 'Edit', input: { file_path, old_string: before, new_string: after } }
}
