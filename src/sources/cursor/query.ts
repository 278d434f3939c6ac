import type { Message } from '../../model/chat.ts'
import { behindCommand } from '../slash.ts'

/** What a message of the user's role is: what the person typed stands in `<user_query>`, after whatever was put before it. */
export function asked(text: string, isSubagent: boolean): Pick<Message, 'kind' | 'via' | 'text'> {
  const typed = queryIn(text)
  if (typed === undefined && /^\s*<[a-z_]+>/.test(text)) return { kind: 'injected', text }
  const said = typed ?? text
  return isSubagent ? { kind: 'delegated', text: said } : behindCommand(said)
}

function queryIn(text: string): string | undefined {
  const open = text.indexOf('<user_query>')
  if (open < 0) return undefined
  const close = text.lastIndexOf('</user_query>')
  return text.slice(open + '<user_query>'.length, close > open ? close : undefined).trim()
}
