import type { CallToolResult } from '@modelcontextprotocol/client'
import { failure, type Outcome } from './tool.ts'

/** What an MCP tool gave back as text. Pictures and sounds are named, not told. */
export function outcomeOf(result: CallToolResult): Outcome {
  const parts = result.content.map(textOf).filter((text) => text !== '')
  if (parts.length === 0 && result.structuredContent) parts.push(JSON.stringify(result.structuredContent))
  const text = parts.join('\n')
  if (result.isError) return failure(text || 'The tool failed and did not say why.')
  return { ok: true, text: text || '(no output)' }
}

function textOf(part: CallToolResult['content'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'image':
    case 'audio':
      return `[${part.type} ${part.mimeType}, ${bytesIn(part.data)} bytes]`
    case 'resource_link':
      return `[resource ${part.name}: ${part.uri}]`
    case 'resource':
      return 'text' in part.resource ? part.resource.text : `[resource ${part.resource.uri}]`
    default:
      return ''
  }
}

function bytesIn(base64: string): number {
  return Math.floor((base64.length * 3) / 4) - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0)
}
