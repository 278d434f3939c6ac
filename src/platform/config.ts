import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { RecollectError } from '../model/errors.ts'
import type { Machine } from './machine.ts'

/** What a person may set in `config.json` in the archive's folder. Without the file all is as by default. */
const schema = z.strictObject({
  /** `false` switches an assistant off: `{ "aider": false }`. */
  sources: z.record(z.string(), z.boolean()).default({}),
  /** Home folders of other machines that are read as well: a copy, a mounted WSL or remote home. */
  homes: z
    .array(
      z.union([
        z.string(),
        z.strictObject({ path: z.string(), platform: z.enum(['linux', 'darwin', 'win32']).optional() }),
      ]),
    )
    .default([]),
  /** Where texts are turned into vectors, for search by meaning. Without it nothing is ever sent anywhere. */
  embeddings: z
    .strictObject({
      url: z.url({ protocol: /^https?$/ }).refine((url) => embeddingsFormat(url) !== undefined, {
        error: 'must end in /api/embed (Ollama) or in /embeddings (OpenAI and what is like it)',
      }),
      model: z.string().min(1),
      /** The name of the environment variable that holds the key; never the key itself. */
      apiKeyEnv: z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is the name of an environment variable, not the key')
        .optional(),
      /** How many numbers a vector has, where the model can give fewer. */
      dimensions: z.int().min(16).max(4_096).optional(),
    })
    .optional(),
})

export type Config = z.output<typeof schema>
export type EmbeddingsConfig = NonNullable<Config['embeddings']>

/** How an endpoint is spoken to: told by how its address ends. */
export function embeddingsFormat(url: string): 'ollama' | 'openai' | undefined {
  const end = URL.parse(url)?.pathname.replace(/\/+$/, '') ?? ''
  if (end.endsWith('/api/embed')) return 'ollama'
  // Ollama's older address takes one text at a time.
  return end.endsWith('/embeddings') && !end.endsWith('/api/embeddings') ? 'openai' : undefined
}

export function configFile(folder: string): string {
  return path.join(folder, 'config.json')
}

export function readConfig(folder: string): Config {
  const file = configFile(folder)
  let text: string
  try {
    text = fs.readFileSync(file, 'utf8')
  } catch {
    return schema.parse({})
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new RecollectError(
      'INVALID_CONFIG',
      `${file} is not valid JSON: ${(error as Error).message}`,
      'Mend it or remove it.',
    )
  }
  const config = schema.safeParse(value)
  if (config.success) return config.data
  throw new RecollectError(
    'INVALID_CONFIG',
    `${file}: ${z.prettifyError(config.error)}`,
    'docs/configuration.md lists what may be set.',
  )
}

/** The added home folders as machines. What system they are from is told by what lies in them. */
export function addedHomes({ homes }: Config): Machine[] {
  return homes.map((home) => {
    const { path: folder, platform } = typeof home === 'string' ? { path: home } : home
    return { platform: platform ?? platformOf(folder), home: path.resolve(folder), env: {} }
  })
}

function platformOf(home: string): NodeJS.Platform {
  if (fs.existsSync(path.join(home, 'AppData'))) return 'win32'
  return fs.existsSync(path.join(home, 'Library', 'Application Support')) ? 'darwin' : 'linux'
}
