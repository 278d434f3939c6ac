import path from 'node:path'
import { object, objects, words } from '../json.ts'
import { type Look, type Sign, UUID } from '../sign.ts'

export const signs: Sign[] = [
  taskSign((look) => !isRoos(look)),
  {
    fits: ({ name, document }) =>
      name.endsWith('.messages.json') && Array.isArray(object(document)?.messages),
    place: ({ file, name }) => {
      const session = path.basename(path.dirname(file))
      return {
        file: `sessions/${session}/${name}`,
        label: 'CLI',
        folder: path.dirname(file),
        at: `sessions/${session}`,
      }
    },
  },
]

/** Of Roo Code. */
export const rooSigns: Sign[] = [taskSign(isRoos)]

/** Cline and Roo Code: a folder for each task, told by either of its two files. */
function taskSign(isOwn: (look: Look) => boolean): Sign {
  return {
    fits: (look) => {
      const entries = objects(look.document)
      if (entries.length === 0 || !Array.isArray(look.document) || !isOwn(look)) return false
      if (/^(ui_messages|claude_messages)\.json$/.test(look.name))
        return entries.some(({ say, ask }) => say ?? ask)
      return look.name === 'api_conversation_history.json' && entries.every(({ role }) => words(role))
    },
    place: ({ file, name }) => {
      const task = path.basename(path.dirname(file))
      return { file: `tasks/${task}/${name}`, folder: path.dirname(file), at: `tasks/${task}` }
    },
  }
}

/** Roo Code calls tasks by a UUID, Cline by their time. */
function isRoos({ file }: Look): boolean {
  return /roo-cline|roo-code/i.test(file) || UUID.test(path.basename(path.dirname(file)))
}
