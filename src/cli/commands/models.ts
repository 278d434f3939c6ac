import type { ModelStatus, ProviderStatus } from '../../agent/agent.ts'
import { answerFromNowOn, providerIn, type SetUp, setUpProvider, testProvider } from '../../agent/set-up.ts'
import { RecollectError } from '../../model/errors.ts'
import { agentConfig, readConfig } from '../../platform/config.ts'
import { KeptKeys } from '../../platform/keys/kept-keys.ts'
import { withAgent } from '../agent-turn.ts'
import { archiveFolder, type GlobalOptions } from '../archive.ts'
import { EXIT } from '../errors.ts'
import { count, tilde } from '../format.ts'
import { secretFrom } from '../hidden.ts'
import { fit, oneLine, pad, paint } from '../paint.ts'

export interface ModelsOptions extends GlobalOptions {
  url?: string
  kind?: SetUp['kind']
  model?: string
  context?: string
  default?: boolean
  /** `--no-keychain` */
  keychain?: boolean
}

/** `recollect models [list|set|use|forget|test]` */
export async function models([action = 'list', id]: string[], options: ModelsOptions): Promise<void> {
  const print = (value: object, text: () => string) =>
    console.log(options.json ? JSON.stringify(value) : text())
  const place = { folder: archiveFolder({}), env: process.env, keys: new KeptKeys(archiveFolder({})) }
  switch (action) {
    case 'list': {
      if (id !== undefined) known(id)
      const { provider: first, model } = agentConfig(readConfig(place.folder))
      const [providers, all] = await withAgent(options, async (agent) =>
        Promise.all([agent.providers(), agent.models()]),
      )
      const meant = all.filter(({ provider }) => id === undefined || provider === id)
      const listed = providers.filter((each) => id === undefined || each.id === id)
      print({ providers: listed, models: meant, default: first && { provider: first, model } }, () =>
        id === undefined
          ? overview(listed, all, first, model)
          : meant.map(modelLine).join('\n') || (listed[0]?.problem ?? 'It tells of no models.'),
      )
      return
    }
    case 'set': {
      if (id === undefined) throw usage('Whose key is it?', 'For example: recollect models set anthropic')
      const { url, kind, model, keychain } = options
      const context = options.context === undefined ? undefined : wholeNumber(options.context)
      const given: SetUp = { url, kind, model, context, inFile: keychain === false, default: options.default }
      const done = await setUpProvider(id, { ...given, key: await keyFor(id, options) }, place)
      print(done, () => outcome(done, place.keys.place))
      return
    }
    case 'use': {
      if (id === undefined) throw usage('Who is to answer?', 'For example: recollect models use ollama/qwen3')
      const used = answerFromNowOn(id, place)
      print(
        used,
        () => `From now on ${used.model ? `${used.model} of ${used.provider}` : used.provider} answers.`,
      )
      return
    }
    case 'forget': {
      if (id === undefined) throw usage('Whose key?', 'For example: recollect models forget anthropic')
      const removed = await place.keys.remove(known(id))
      print({ provider: id, removed }, () =>
        removed ? `The key of ${id} is removed.` : `No key of ${id} was kept here.`,
      )
      if (!removed) process.exitCode = EXIT.notFound
      return
    }
    case 'test': {
      const ids =
        id === undefined
          ? (await withAgent(options, (agent) => agent.providers())).filter(isSetUp).map((each) => each.id)
          : [known(id)]
      const providers = await Promise.all(
        ids.map(async (each) => {
          try {
            const { models: has, note } = await testProvider(each, place)
            return note === undefined
              ? { id: each, ok: true, models: has }
              : { id: each, ok: false, problem: note }
          } catch (error) {
            return { id: each, ok: false, problem: error instanceof Error ? error.message : String(error) }
          }
        }),
      )
      print({ providers }, () => providers.map(tested).join('\n') || 'No provider is set up yet.')
      if (providers.some(({ ok }) => !ok)) process.exitCode = EXIT.failed
      return
    }
    default:
      throw usage(
        `There is no "recollect models ${action}".`,
        'Valid values: list [provider], set <provider>, use <provider/model>, forget <provider>, test [provider].',
      )
  }
  function known(name: string): string {
    return providerIn(agentConfig(readConfig(place.folder)), name, process.env).id
  }
}

/** Nothing where the provider needs none and none is piped in. */
async function keyFor(id: string, { url, kind }: ModelsOptions): Promise<string | undefined> {
  const set = agentConfig(readConfig(archiveFolder({}))).providers
  const own = url || kind ? { ...set[id], url: url ?? set[id]?.url, kind: kind ?? set[id]?.kind } : set[id]
  const { name, keyVariables, key } = providerIn(
    { providers: own ? { ...set, [id]: own } : set },
    id,
    process.env,
  )
  const isNeeded = keyVariables.length > 0 && !key
  if (!isNeeded && process.stdin.isTTY) {
    // One of your own may want a key or not; Enter says that it does not.
    const said = url || set[id] ? await secretFrom(`Key for ${name}, if it wants one (not shown): `) : ''
    return said || undefined
  }
  return (await secretFrom(`Key for ${name} (not shown): `)) || undefined
}

function isSetUp({ key, ready }: ProviderStatus): boolean {
  return key === 'none needed' ? ready : key !== 'missing'
}

function overview(
  providers: ProviderStatus[],
  all: ModelStatus[],
  first: string | undefined,
  model: string | undefined,
): string {
  const { dim, green, bold } = paint(process.stdout)
  const answers = first ?? providers.find(({ ready, local }) => ready && !local)?.id ?? all[0]?.provider
  const lines = providers.map((each) => {
    const { id, ready, key, local, problem, defaultModel } = each
    if (!ready) {
      const why =
        key === 'missing' ? `needs a key: recollect models set ${id}` : local ? 'is not running' : problem
      return `${dim('○')} ${pad(id, 14)} ${dim(why ?? '')}`
    }
    const has = all.filter(({ provider }) => provider === id).length
    const from =
      key !== 'none needed' ? `key from the ${key}` : local ? 'runs on this machine' : 'needs no key'
    const about = [from, count(has, 'model'), ...(defaultModel ? [defaultModel] : [])].join(' · ')
    const mark = id === answers ? bold(` ← answers${id === first && model ? ` with ${model}` : ''}`) : ''
    return `${green('●')} ${pad(id, 14)} ${about}${mark}`
  })
  const next = providers.some(({ ready }) => ready)
    ? 'recollect models list <provider> shows its models, recollect models use <provider/model> chooses one.'
    : 'recollect models set anthropic enters a key.'
  return [...lines, '', dim(next)].join('\n')
}

function modelLine({ id, tools, price, context, images }: ModelStatus): string {
  const { dim } = paint(process.stdout)
  const about = [
    ...(context ? [`reads ${context.toLocaleString('en-US')} tokens`] : []),
    ...(tools ? [] : ['no tools']),
    ...(images ? ['images'] : []),
    ...(price ? [`$${price.input} in, $${price.output} out per million tokens`] : []),
  ]
  return `${pad(fit(oneLine(id), 50), 50)} ${dim(about.join(' · '))}`.trimEnd()
}

function outcome(
  { name, id, key, models: has, default: isDefault, notes }: Awaited<ReturnType<typeof setUpProvider>>,
  place: string,
): string {
  const kept =
    key === 'keychain' ? ` Its key is in ${place}.` : key === 'file' ? ` Its key is in ${keysFile()}.` : ''
  return [
    `${name} is set up${has ? `: it has ${count(has, 'model')}` : ''}.${kept}`,
    ...notes.map(oneLine),
    isDefault
      ? 'It answers from now on: recollect ask "…"'
      : `recollect models use ${id} makes it the one that answers.`,
  ].join('\n')
}

function keysFile(): string {
  return tilde(`${archiveFolder({})}/keys.json`)
}

function tested({
  id,
  ok,
  models: has,
  problem,
}: {
  id: string
  ok: boolean
  models?: number
  problem?: string
}): string {
  const { green, red } = paint(process.stdout)
  return ok
    ? `${green('✓')} ${pad(id, 14)} ${has === undefined ? 'answers' : count(has, 'model')}`
    : `${red('✗')} ${pad(id, 14)} ${oneLine(problem ?? '')}`
}

function wholeNumber(given: string): number {
  if (/^\d{4,8}$/.test(given)) return Number(given)
  throw usage(`"${given}" is not a number of tokens.`, 'For example: --context 32768')
}

function usage(message: string, hint: string): RecollectError {
  return new RecollectError('INVALID_ARGUMENT', message, hint)
}
