import { kindName, kinds, lineRecords, type Survey } from '../coverage/survey.ts'
import { object, objects, words } from '../json.ts'

export const survey: Survey = {
  used: kinds(`
    turn.prompt turn.steer context.append_message llm.request turn.ended
    loop/step.begin loop/content.part loop/tool.call loop/tool.result loop/step.end
  `),
  ignored: kinds(`
    metadata runtime.set_binding profile.bind permission.set_mode plugin.session_start llm.tools_snapshot
    usage.record token_counting.measured token_counting.turn_recorded prompt.completed
    agent.message.appended agent.turn.started agent.turn.ended
    subagent.spawned subagent.started subagent.completed
  `),
  *records({ path: file }, glance) {
    for (const record of lineRecords(file, glance)) {
      const event = record.type === 'context.append_loop_event' ? object(record.event) : undefined
      const isPrompt = record.type === 'turn.prompt' || record.type === 'turn.steer'
      const said =
        isPrompt &&
        object(record.origin)?.kind === 'user' &&
        objects(record.input).some(({ text }) => words(text))
      yield { kind: event ? kindName('loop', event.type) : kindName(record.type), turns: said ? 1 : 0 }
    }
  },
}

export const pythonSurvey: Survey = {
  used: kinds('TurnBegin StepBegin StepInterrupted TurnEnd ContentPart ToolCall ToolResult StatusUpdate'),
  ignored: kinds(`
    metadata ToolCallPart ApprovalRequest ApprovalRequestResolved ApprovalResponse SubagentEvent
    CompactionBegin CompactionEnd MCPLoadingBegin MCPLoadingEnd
  `),
  *records({ path: file }, glance) {
    for (const record of lineRecords(file, glance)) {
      const message = object(record.message)
      const input = object(message?.payload)?.user_input
      const said =
        message?.type === 'TurnBegin' && (words(input) ?? objects(input).some(({ text }) => words(text)))
      yield { kind: kindName(message?.type ?? record.type), turns: said ? 1 : 0 }
    }
  },
}
