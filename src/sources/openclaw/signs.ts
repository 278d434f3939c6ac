import { type Sign, safe } from '../sign.ts'

export const signs: Sign[] = [
  {
    fits: ({ columns }) => columns('transcript_events').includes('event_json'),
    place: () => ({ file: 'agents/imported/agent/openclaw-agent.sqlite' }),
  },
  {
    // Its files are pi's, but for entries of its own.
    fits: ({ lines, name, file }) =>
      lines[0]?.type === 'session' &&
      typeof lines[0].version === 'number' &&
      !name.includes('_') &&
      (lines.some(({ customType }) => customType === 'model-snapshot') ||
        /[\\/]agents[\\/][^\\/]+[\\/]sessions[\\/]/.test(file)),
    place: ({ lines }) => ({ file: `agents/imported/sessions/${safe(String(lines[0]?.id))}.jsonl` }),
  },
]
