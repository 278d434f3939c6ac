import { object, words } from '../json.ts'
import { type Sign, safe, stem } from '../sign.ts'

/** Its files are Claude Code's: only where they lie tells them apart. */
const PLACE = /[\\/]local-agent-mode-sessions[\\/]/

export const signs: Sign[] = [
  {
    fits: ({ file, lines }) =>
      PLACE.test(file) &&
      /\.jsonl$/.test(file) &&
      lines.some((line) => 'parentUuid' in line && words(line.sessionId)),
    place: ({ name }) => ({ file: `a/o/local_imported/.claude/projects/imported/${safe(stem(name))}.jsonl` }),
  },
  {
    fits: ({ file, document }) =>
      PLACE.test(file) &&
      /[\\/]local_[^\\/]+\.json$/.test(file) &&
      words(object(document)?.cliSessionId) !== undefined,
    place: ({ name }) => ({ file: `a/o/${safe(stem(name))}.json` }),
  },
]
