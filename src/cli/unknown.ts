import type { Archive, UnknownRecords } from '../archive/archive.ts'
import { sourceName } from '../sources/names.ts'
import { oneLine, paint } from './paint.ts'

/** What sync noticed and this version still does not know. */
export async function stillUnknown(archive: Archive): Promise<UnknownRecords[]> {
  const noted = await archive.unknownRecords()
  if (noted.length === 0) return noted
  const { surveys } = await import('../sources/coverage/index.ts')
  const { fateOf } = await import('../sources/coverage/survey.ts')
  return noted.filter(({ source, kind }) => {
    const survey = surveys[source]
    return survey !== undefined && fateOf(survey, kind) === 'unknown'
  })
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
