import type { Archive, Lease, UnknownRecords } from '../archive/archive.ts'
import type { Job } from './job.ts'

const AGAIN_MS = 60_000

/**
 * Looks at the newest file of each assistant that was just read, for records of a kind that its
 * reader does not know: a new version that writes something new is noticed before it is missed.
 * A bounded part of one file for each assistant, at most once a minute.
 */
export async function glance(
  lastOfEach: ReadonlyMap<string, Job>,
  glancedAt: Map<string, number>,
  archive: Archive,
  lease: Lease,
): Promise<void> {
  const now = performance.now()
  const due = [...lastOfEach].filter(
    ([id]) => now - (glancedAt.get(id) ?? Number.NEGATIVE_INFINITY) > AGAIN_MS,
  )
  if (due.length === 0) return
  const { count, unknownIn } = await import('../sources/coverage/survey.ts')
  const news: UnknownRecords[] = []
  for (const [id, { source, unit }] of due) {
    glancedAt.set(id, now)
    const { survey } = await source.survey()
    const unknown = unknownIn(survey, count(survey, unit, { glance: true }))
    for (const [kind, records] of unknown)
      news.push({ source: id, kind, records, path: unit.path, seenAt: Date.now() })
  }
  if (news.length > 0) await archive.noteUnknown(news, lease)
}
