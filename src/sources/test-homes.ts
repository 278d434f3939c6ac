import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FixtureHome } from './fixture-kit.ts'

/** Every fixture of every source, where its assistant would keep it: the `fixture-homes.ts` of each folder. */
export const fixtureHomes: FixtureHome[] = (
  await Promise.all(
    fs
      .globSync('*/fixture-homes.ts', { cwd: import.meta.dirname })
      .sort()
      .map(homesIn),
  )
).flat()

async function homesIn(file: string): Promise<FixtureHome[]> {
  const { homes } = await import(pathToFileURL(path.join(import.meta.dirname, file)).href)
  return homes
}
