import { kindName, kinds, lineRecords, type Survey } from '../coverage/survey.ts'
import { object, words } from '../json.ts'

export const survey: Survey = {
  used: kinds(`
    UserPromptEvent agent/ToolBlockUpdatedEvent agent/TerminalBlockUpdatedEvent agent/ViewFilesBlockUpdatedEvent
    agent/FileChangesBlockUpdatedEvent agent/McpBlockUpdatedEvent agent/ResultBlockUpdatedEvent
    agent/LlmResponseMetadataEvent
  `),
  // The environment may hold secrets.
  ignored: kinds('SessionA2uxEvent agent/CurrentDirectoryUpdatedEvent agent/AgentEnvironmentVariablesEvent'),
  *records({ path }, glance) {
    for (const record of lineRecords(path, glance)) {
      const agentEvent = object(object(record.event)?.agentEvent)
      const isTyped =
        record.kind === 'UserPromptEvent' && (words(record.presentablePrompt) ?? words(record.prompt))
      const kind = agentEvent ? kindName('agent', agentEvent.kind) : kindName(record.kind)
      const isEnvironment = kind.startsWith('agent/AgentEnvironmentVariables')
      yield { kind: isEnvironment ? 'agent/AgentEnvironmentVariablesEvent' : kind, turns: isTyped ? 1 : 0 }
    }
  },
}
