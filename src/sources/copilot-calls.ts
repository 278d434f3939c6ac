import { lastRecords, type ToolRecord, writtenAt } from './call.ts'
import { object, parsed, words } from './json.ts'

/** Calls as Copilot writes them down, in its CLI and in its transcripts beside VS Code's sessions. */
export function* copilotCalls(file: string): Generator<ToolRecord> {
  for (const record of lastRecords(file)) {
    const data = object(record.data)
    const id = words(data?.toolCallId)
    if (!data || !id) continue
    if (record.type === 'tool.execution_complete') yield { id }
    if (record.type !== 'tool.execution_start') continue
    const tool = words(data.mcpToolName) ?? words(data.toolName) ?? ''
    yield { id, tool, args: parsed(data.arguments), at: writtenAt(record) }
  }
}
