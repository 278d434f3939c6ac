import { RecollectError } from '../model/errors.ts'
import type { Attachment, RunParameters } from './agent.ts'
import { apiFor, PROVIDER_OPTIONS } from './language-model.ts'
import type { Provider } from './providers.ts'

/** The names by which a program asked, whichever of the two APIs it speaks. */
const NAMES: Partial<Record<keyof RunParameters, string>> = {
  seed: 'seed',
  stop: 'stop',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  parallelToolCalls: 'parallel_tool_calls',
}

/** Says by name what was asked for and this provider does not take: left out in silence it would mislead. */
export function refuseUnsupported(
  provider: Provider,
  model: string,
  parameters: RunParameters = {},
  attachments: Attachment[] = [],
): void {
  for (const wish of missingAt(provider, model)) {
    const name = NAMES[wish]
    if (parameters[wish] !== undefined && name) throw unsupported(name, provider)
  }
  if (parameters.json && !parameters.json.schema && provider.kind === 'anthropic')
    throw unsupported('response_format', provider, 'It takes `json_schema`, with the schema.')
  if (provider.kind === 'gemini' && attachments.some(({ url }) => url !== undefined))
    throw unsupported('image_url', provider, 'Send the picture itself, as a data: address.')
}

export function isImage({ mimeType }: Attachment): boolean {
  return mimeType.startsWith('image')
}

/** Such a model would answer as if there were none. */
export function refuseImages(model: string, takesImages: boolean | undefined): void {
  if (takesImages !== false) return
  throw new RecollectError(
    'UNSUPPORTED_PARAMETER',
    `${model} takes no pictures.`,
    'Choose a model that does: `recollect models list` says which.',
  )
}

function missingAt(provider: Provider, model: string): (keyof RunParameters)[] {
  switch (provider.kind) {
    case 'anthropic':
      return ['seed', 'presencePenalty', 'frequencyPenalty']
    case 'openai':
      return (provider.api ?? apiFor(provider.url, model)) === 'responses'
        ? ['seed', 'stop', 'presencePenalty', 'frequencyPenalty']
        : []
    case 'gemini':
      return ['parallelToolCalls']
    case 'openai-compatible':
      return []
  }
}

function unsupported(name: string, provider: Provider, hint = 'Leave it out, or choose another model.') {
  return new RecollectError('UNSUPPORTED_PARAMETER', `${provider.name} takes no \`${name}\` here.`, hint)
}

/** What of it has no place of its own in the SDK. */
export function providerOptionsFor({ id, kind }: Provider, { parallelToolCalls }: RunParameters) {
  if (parallelToolCalls === undefined) return PROVIDER_OPTIONS
  const { anthropic, openai } = PROVIDER_OPTIONS
  return {
    anthropic: { ...anthropic, disableParallelToolUse: !parallelToolCalls },
    openai: { ...openai, parallelToolCalls },
    ...(kind === 'openai-compatible' && { [id]: { parallel_tool_calls: parallelToolCalls } }),
  }
}
