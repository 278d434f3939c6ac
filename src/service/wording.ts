import type { CallerKind } from './caller.ts'

/** What a tool is called where people have commands. */
export const COMMANDS: Record<string, string> = {
  search_conversations: 'recollect search',
  list_chats: 'recollect list',
  gather_chats: 'recollect gather',
  resolve_ids: 'recollect resolve',
  list_requests: 'recollect requests',
  get_request: 'recollect requests --index',
  get_first_request: 'recollect requests --index 1',
  collect_evidence: 'recollect evidence',
  usage_metrics: 'recollect metrics',
  export_chats: 'recollect export',
  read_context: 'recollect context read',
  append_context: 'recollect context append',
  init_context: 'recollect context init',
  archive_context: 'recollect context archive',
  export_conversation: 'recollect context export',
  get_context_summary: 'recollect context summary',
  get_resume_command: 'recollect context resume',
  export_to_memory: 'recollect context to-memory',
  import_from_memory: 'recollect context from-memory',
}

const TOOLS = new Map(Object.entries(COMMANDS).map(([tool, command]) => [command, tool]))
const TOOL_NAMES = new RegExp(`\`?\\b(${Object.keys(COMMANDS).join('|')})\\b\`?`, 'g')

/** Said otherwise to who has tools: an agent or a program cannot run commands, and has arguments instead of options. */
const SAID: [of: RegExp, owner: string | undefined, others: string | undefined][] = [
  [
    /`recollect list` shows the ids; `recollect sync` reads what is new\./,
    undefined,
    '`list_chats` and `search_conversations` give ids of chats.',
  ],
  [
    /Run `recollect sync` to read the chats on this machine\./,
    'If `recollect sync` finds none, `recollect sources` shows where it looks, and `recollect import <file>` takes an export. `recollect --sample search deadlock` searches a sample.',
    'Chats are read automatically while Recollect runs: try again in a moment.',
  ],
  [
    /Give chatIds, a query, or a source, workspace or time_window\./,
    'Give ids of chats, --query, --source, --workspace or --since.',
    undefined,
  ],
  [/Name another one with `from`\./, 'Name another one with --from.', undefined],
  [/, or use force\./, ', or use --force.', ', or use `force`.'],
  [
    /Any of these may be your chat: call again with the sessionId of/,
    'Any of these may be meant: give the id of',
    undefined,
  ],
  [/, or \{ start, end \}\./, '.', undefined],
  [/`recollect list --source recollect-agent`/, undefined, '`GET /api/v1/sessions`'],
  [/(fewer kinds or more )max_chars/, '$1--max-chars', undefined],
]

/** Left over of a hint that only somebody at a terminal can follow. */
const FOR_THE_OWNER = 'Tell the user: only they can mend this, in a terminal or on the page.'

/** A hint in the words of who gets it: commands for people, tools for agents and programs. */
export function worded(hint: string, kind: CallerKind): string {
  let text = hint
  for (const [of, owner, others] of SAID) {
    const said = kind === 'owner' ? owner : others
    if (said !== undefined) text = text.replace(of, said)
  }
  if (kind === 'owner') return text.replace(TOOL_NAMES, (_, tool: string) => `\`${COMMANDS[tool]}\``)
  text = text.replace(/`(recollect [a-z -]+)`/g, (said, command: string) => {
    const tool = TOOLS.get(command.trim())
    return tool ? `\`${tool}\`` : said
  })
  return /\brecollect [a-z]/.test(text) ? FOR_THE_OWNER : text
}
