import { object } from '../json.ts'
import { type Sign, safe, stem } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ hasKey }) => hasKey('composerData:'),
    place: () => ({ file: 'globalStorage/state.vscdb' }),
  },
  {
    fits: ({ hasKey }) => hasKey('workbench.panel.aichat.view.aichat.chatdata'),
    place: () => ({ file: 'workspaceStorage/imported/state.vscdb' }),
  },
  {
    fits: ({ lines }) =>
      lines.length > 0 &&
      lines.some(({ role, message }) => (role === 'user' || role === 'assistant') && object(message)) &&
      lines.every((line) => !('type' in line && 'uuid' in line) && !('created' in line)),
    place: ({ name }) => ({
      file: `imported/agent-transcripts/${safe(stem(name))}.jsonl`,
      label: 'agent transcripts',
    }),
  },
]
