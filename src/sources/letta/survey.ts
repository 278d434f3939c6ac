import { kinds, lineRecords, type Survey } from '../coverage/survey.ts'
import { objects, string } from '../json.ts'
import { ENTRIES_IGNORED, ENTRIES_USED, entrySeen, messageSeen } from '../pi/survey.ts'

export const survey: Survey = {
  used: kinds(ENTRIES_USED),
  ignored: kinds(ENTRIES_IGNORED),
  *records({ path: file }, glance) {
    for (const record of lineRecords(file, glance)) {
      if (typeof record.type === 'string') yield* entrySeen(record)
      else yield* messageSeen({ ...record, content: spokenParts(record.content) }, 'message')
    }
  },
}

function spokenParts(content: unknown): unknown {
  if (typeof content === 'string') return content
  return objects(content).filter(({ text }) => !/^\s*<system-reminder[\s>]/.test(string(text) ?? ''))
}
