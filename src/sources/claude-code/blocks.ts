import type { Attachment, Message, ToolCall, ToolResult } from '../../model/chat.ts'
import { type Json, string, words } from '../json.ts'
import { toolCall } from './answer.ts'
import { attachmentOf, blocksOf } from './content.ts'

export type BlockParts = Pick<Message, 'text' | 'thinking' | 'toolCalls' | 'toolResults' | 'attachments'>

/** What the blocks of a message in Anthropic's API hold, for assistants that keep such messages whole. */
export function partsOfBlocks(content: unknown): BlockParts {
  const texts: string[] = []
  const thoughts: string[] = []
  const toolCalls: ToolCall[] = []
  const toolResults: ToolResult[] = []
  const attachments: Attachment[] = []
  for (const block of blocksOf(content)) {
    const attached = attachmentOf(block)
    if (attached) attachments.push(attached)
    else if (block.type === 'text') texts.push(words(block.text) ?? '')
    else if (block.type === 'thinking') thoughts.push(words(block.thinking) ?? '')
    else if (block.type === 'tool_use')
      toolCalls.push(toolCall(string(block.id) ?? '', string(block.name) ?? 'unknown', block.input))
    else if (block.type === 'tool_result') {
      toolResults.push(resultIn(block))
      attachments.push(...blocksOf(block.content).flatMap((part) => attachmentOf(part) ?? []))
    }
  }
  const thinking = thoughts.filter(Boolean).join('\n\n')
  return {
    text: texts.filter(Boolean).join('\n\n'),
    ...(thinking && { thinking }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(toolResults.length > 0 && { toolResults }),
    ...(attachments.length > 0 && { attachments }),
  }
}

/** Whether there is anything in it. */
export function isEmpty({ text, thinking, toolCalls, toolResults, attachments }: BlockParts): boolean {
  return !text && !thinking && !toolCalls && !toolResults && !attachments
}

function resultIn(block: Json): ToolResult {
  const callId = string(block.tool_use_id) ?? ''
  const text = blocksOf(block.content)
    .flatMap((part) => string(part.text) ?? [])
    .join('\n')
  return block.is_error === true ? { callId, error: text || 'failed' } : { callId, text }
}
