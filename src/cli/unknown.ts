import type { UnknownRecords } from '../archive/archive.ts'
import type { Reader } from '../service/reader.ts'
import { sources } from '../sources/index.ts'
import { sourceName } from '../sources/names.ts'
import { oneLine, paint } from './paint.ts'

/** Noted by versions that began to look in the middle of a record. */
const HALF_A_RECORD = '(nameless)'

/** What sync noticed and this version still does not know. */
export async function stillUnknown(reader: Reader): Promise<UnknownRecords[]> {
  const noted = await reader.unknownRecords()
  if (noted.length === 0) return noted
  const { fateOf } = await import('../sources/coverage/survey.ts')
  const isUnknown = await Promise.all(
    noted.map(async ({ source, kind }) => {
      const own = sources.find(({ id }) => id === source)
      return own !== undefined && fateOf((await own.survey()).survey, kind) === 'unknown'
    }),
  )
  return noted.filter(({ kind }, at) => isUnknown[at] && kind !== HALF_A_RECORD)
}

const SHOWN = 3

/** A line for each assistant that writes something new. */
export function showUnknown(unknown: UnknownRecords[]): void {
  const { yellow } = paint(process.stdout)
  for (const [source, list] of Map.groupBy(unknown, (each) => each.source)) {
    const names = list.slice(0, SHOWN).map(({ kind }) => `"${oneLine(kind)}"`)
    const more = list.length > SHOWN ? ` and ${list.length - SHOWN} more` : ''
    console.log(
      yellow(
        `! ${sourceName(source)} writes something new: ${names.join(', ')}${more}. \`recollect doctor --coverage\` tells more.`,
      ),
    )
  }
}
