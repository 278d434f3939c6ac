import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { RecollectError } from '../model/errors.ts'
import { configFile, configSchema, readConfig, writeConfig } from '../platform/config.ts'
import { sources } from '../sources/index.ts'
import { placeState } from '../sync/source-report.ts'
import { forgetReadiness } from './agent-of.ts'
import type { Backend } from './backend.ts'
import { type Route, route } from './route.ts'

const settings = z.object({
  settings: configSchema,
  path: z.string(),
  missingHomes: z.array(z.string()).describe('Of `homes`: those that are not there now'),
})
const known = new Set(sources.map(({ id }) => id))
const newSettings = configSchema.refine(
  (config) => Object.keys(config.sources).every((id) => known.has(id)),
  {
    path: ['sources'],
    error: `names an assistant that is not known; known are ${[...known].join(', ')}`,
  },
)

/** `config.json`, and which archive is shown. */
export const settingsRoutes: Route[] = [
  route({
    method: 'get',
    path: '/api/v1/settings',
    summary: 'What is set in config.json, and what holds without it',
    tag: 'owner',
    owner: true,
    answer: settings,
    handle: async ({ backend }) => await currentSettings(backend),
  }),
  route({
    method: 'put',
    path: '/api/v1/settings',
    summary: 'Replace config.json; what it changes holds at once',
    tag: 'owner',
    owner: true,
    body: newSettings,
    answer: settings,
    async handle({ backend, body }) {
      if (backend.sample)
        throw new RecollectError(
          'SAMPLE_ARCHIVE',
          'The sample archive has no settings.',
          'Go back to your own archive first.',
        )
      const folder = await backend.folder()
      const { sources: on, homes } = readConfig(folder)
      writeConfig(folder, body)
      forgetReadiness(backend)
      // What did not change goes on undisturbed: a long first sync. The agent looks at each run.
      if (!isDeepStrictEqual([on, homes], [body.sources, body.homes])) await backend.syncAgain()
      return await currentSettings(backend)
    },
  }),
  route({
    method: 'post',
    path: '/api/v1/sample',
    summary: 'Show the built-in sample archive, or your own again',
    tag: 'owner',
    owner: true,
    body: z.strictObject({ on: z.boolean() }),
    answer: z.object({ sample: z.boolean() }),
    async handle({ backends, body }) {
      backends.use(body.on)
      const backend = backends.current()
      if (backend.sample) await filled(backend)
      return { sample: backend.sample }
    },
  }),
]

async function currentSettings(backend: Backend): Promise<z.output<typeof settings>> {
  const folder = await backend.folder()
  const set = readConfig(folder)
  const missingHomes = set.homes
    .map((home) => (typeof home === 'string' ? home : home.path))
    .filter((home) => placeState(home) === 'missing')
  return { settings: set, path: configFile(folder), missingHomes }
}

const PATIENCE_MS = 10_000

/** Reading the sample takes a moment; nobody should see it half read. */
async function filled({ shared }: Backend): Promise<void> {
  const until = Date.now() + PATIENCE_MS
  while (/^(starting|reading)$/.test(shared.syncing()?.state ?? '') && Date.now() < until) await sleep(50)
}
