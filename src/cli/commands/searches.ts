import type { SavedSearch } from '../../archive/archive.ts'
import { type CallOptions, noterOf, readerOf, withGate } from '../call.ts'
import { EXIT } from '../errors.ts'
import { oneLine, paint } from '../paint.ts'

/** Searches that were saved, here or on the page. */
export async function searches(options: CallOptions & { remove?: string }): Promise<void> {
  await withGate(options, async (_, archive) => {
    if (options.remove !== undefined) {
      await noterOf(archive, options).removeSearch(options.remove)
      if (options.json) console.log(JSON.stringify({ removed: options.remove }))
      else console.log(`Removed "${oneLine(options.remove)}".`)
      return
    }
    const saved = await readerOf(archive, options).savedSearches()
    if (options.json) console.log(JSON.stringify({ searches: saved }))
    else if (saved.length === 0)
      console.log('No saved searches. Save one with `recollect search <words> --save <name>`.')
    else for (const search of saved) console.log(lineOf(search))
    if (saved.length === 0) process.exitCode = EXIT.notFound
  })
}

function lineOf({ name, input }: SavedSearch): string {
  const { dim } = paint(process.stdout)
  const { intent_query, query, regex, ...rest } = input
  const words = [intent_query ?? query ?? regex ?? ''].flat().join(' ')
  const filters = Object.entries(rest)
    .filter(([field, value]) => value !== undefined && DEFAULTS[field] !== value)
    .map(([field, value]) => `${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  return `${oneLine(name)}  ${dim(oneLine([words, ...filters].filter(Boolean).join('  ')))}`
}

/** What says nothing. */
const DEFAULTS: Record<string, unknown> = {
  include_tools_in_search: true,
  match: 'any',
  precision_mode: 'basic',
  expand: 'off',
  snippet_window: 160,
}
