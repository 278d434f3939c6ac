import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { RecollectError } from '../model/errors.ts'
import { changeSmallFile } from './change-file.ts'
import { configFile, readConfigFile } from './config-file.ts'
import type { Machine } from './machine.ts'
import { guardSecrets } from './secrets/own.ts'

const nameOfVariable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is the name of an environment variable, not the key')

/** Tokens read and written, and US dollars as far as prices are known. */
const spendable = z.strictObject({
  tokens: z.int().positive().optional(),
  cost: z.number().positive().optional(),
})

/** What may be spent before you are asked: for one answer, in a day, and with a provider in a day. */
export const budgetSchema = z.strictObject({
  run: spendable.optional(),
  day: spendable.optional(),
  providers: z.record(z.string(), spendable).optional(),
})

const agentSchema = z.strictObject({
  /** Which provider and model answer where none is named. */
  provider: z.string().optional(),
  model: z.string().optional(),
  /** What the model is told besides our own words. */
  instructions: z.string().max(20_000).optional(),
  maxToolIterations: z.int().min(1).max(100).default(5),
  maxOutputTokens: z.int().min(64).max(1_000_000).default(16_384),
  /** How long a tool may take; progress that it tells starts the time anew. */
  toolTimeoutSeconds: z.number().min(1).max(3_600).default(60),
  /** The most of a tool's answer that the model gets to read. */
  maxResultChars: z.int().min(1_000).max(1_000_000).default(30_000),
  /** Providers by their id: another address or default for a known one, or one of your own. */
  providers: z
    .record(
      z.string().regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'is a short name in small letters'),
      z.strictObject({
        name: z.string().optional(),
        kind: z.enum(['anthropic', 'openai', 'gemini', 'openai-compatible']).optional(),
        url: z.url({ protocol: /^https?$/ }).optional(),
        model: z.string().optional(),
        apiKeyEnv: nameOfVariable.optional(),
        /** `false`: it is never offered tools. */
        tools: z.boolean().optional(),
        /** Whether its models take pictures; without it as their program says, of others nobody knows. */
        images: z.boolean().optional(),
        /** Which of OpenAI's APIs is spoken; without it, whichever the model needs. */
        api: z.enum(['chat', 'responses']).optional(),
        /** How many tokens its models read at most: Ollama and LM Studio load them so. */
        context: z.int().min(2_048).max(10_000_000).optional(),
      }),
    )
    .default({}),
  /** By tool, `server/tool`, server, or a pattern with `*`: run it always, ask first, or never. */
  approvals: z.record(z.string(), z.enum(['always', 'ask', 'never'])).default({}),
  /** By tool, as above: for how many seconds its answer to the same question is used again. */
  cache: z.record(z.string(), z.number().positive()).default({}),
  budget: budgetSchema.optional(),
})

/** What a person may set in `config.json` in the archive's folder. Without the file all is as by default. */
export const configSchema = z.strictObject({
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
      apiKeyEnv: nameOfVariable.optional(),
      /** How many numbers a vector has, where the model can give fewer. */
      dimensions: z.int().min(16).max(4_096).optional(),
    })
    .optional(),
  /** What is archived from now on is written without secrets: docs/redact.md. */
  redactAtRest: z.boolean().optional(),
  /** The browser in the terminal: docs/terminal.md. */
  terminal: z
    .strictObject({
      /** `true`: the terminal is asked to copy, which also works over SSH. */
      osc52: z.boolean().optional(),
      /** `false` leaves the mouse to the terminal. */
      mouse: z.boolean().optional(),
    })
    .optional(),
  /** Recollect's own agent: docs/agent.md. */
  agent: agentSchema.optional(),
})

export type Config = z.output<typeof configSchema>
export type AgentConfig = NonNullable<Config['agent']>
export type EmbeddingsConfig = NonNullable<Config['embeddings']>

/** What is set for the agent, or what holds without it. */
export function agentConfig({ agent }: Config): AgentConfig {
  return agent ?? agentSchema.parse({})
}

/** How an endpoint is spoken to: told by how its address ends. */
export function embeddingsFormat(url: string): 'ollama' | 'openai' | undefined {
  const end = URL.parse(url)?.pathname.replace(/\/+$/, '') ?? ''
  if (end.endsWith('/api/embed')) return 'ollama'
  // Ollama's older address takes one text at a time.
  return end.endsWith('/embeddings') && !end.endsWith('/api/embeddings') ? 'openai' : undefined
}

export { configFile } from './config-file.ts'

/** What is set, or the error that says what is wrong: a file that cannot be read is not an empty one. */
export function readConfig(folder: string): Config {
  const value = readConfigFile(folder)
  if (value === undefined) return configSchema.parse({})
  const config = configSchema.safeParse(value)
  if (config.success) {
    guardSecrets(keyVariables(config.data).map((name) => process.env[name]))
    return config.data
  }
  throw new RecollectError(
    'INVALID_CONFIG',
    `${configFile(folder)}: ${z.prettifyError(config.error)}`,
    'docs/configuration.md lists what may be set.',
  )
}

/** The variables that hold keys, as the person named them: what is in them is masked wherever it occurs. */
function keyVariables({ agent, embeddings }: Config): string[] {
  const named = [
    embeddings?.apiKeyEnv,
    ...Object.values(agent?.providers ?? {}).map((each) => each.apiKeyEnv),
  ]
  return named.filter((name) => name !== undefined)
}

/** Replaces what is set, whole or not at all. */
export function writeConfig(folder: string, config: z.input<typeof configSchema>): void {
  changeSmallFile(configFile(folder), () => `${JSON.stringify(config, null, 2)}\n`)
}

/** Changes some of what is set and leaves the rest as the person wrote it. Nothing is written that could not be read. */
export function changeConfig(
  folder: string,
  changed: (config: z.input<typeof configSchema>) => z.input<typeof configSchema>,
): void {
  const file = configFile(folder)
  changeSmallFile(file, () => {
    readConfig(folder)
    const next = changed((readConfigFile(folder) ?? {}) as z.input<typeof configSchema>)
    const { success, error } = configSchema.safeParse(next)
    if (!success)
      throw new RecollectError('INVALID_CONFIG', z.prettifyError(error), `${file} was left as it is.`)
    return `${JSON.stringify(next, null, 2)}\n`
  })
}

/** The added home folders as machines. What system they are from is told by what lies in them. */
export function addedHomes({ homes }: Config): Machine[] {
  return homes.map((home) => {
    const { path: folder, platform } = typeof home === 'string' ? { path: home } : home
    return {
      platform: platform ?? platformOf(folder),
      home: path.resolve(folder),
      env: {},
      reader: process.platform,
    }
  })
}

function platformOf(home: string): NodeJS.Platform {
  if (fs.existsSync(path.join(home, 'AppData'))) return 'win32'
  return fs.existsSync(path.join(home, 'Library', 'Application Support')) ? 'darwin' : 'linux'
}
