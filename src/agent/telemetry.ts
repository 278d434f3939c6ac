import { randomBytes } from 'node:crypto'
import { RecollectError } from '../model/errors.ts'
import { log } from '../platform/log.ts'
import { packageVersion } from '../platform/package-root.ts'
import { guardSecrets, redact } from '../platform/redact.ts'
import type { AgentEvent, RunResult } from './agent.ts'
import type { TelemetryTarget } from './telemetry-target.ts'

type Value = string | number | string[] | undefined

interface Span {
  name: string
  kind: 1 | 3
  spanId: string
  parentSpanId?: string
  began: number
  ended: number
  attributes: Record<string, Value>
  error?: string
}

const INTERNAL = 1
const CLIENT = 3
const PATIENCE_MS = 5_000
/** As OpenTelemetry's conventions for generative AI name them. */
const PROVIDERS: Record<string, string> = { gemini: 'gcp.gemini' }

/** Sends what runs took and cost to an OpenTelemetry collector, as OTLP over HTTP in JSON. Nothing that was said is in it. */
export class Telemetry {
  readonly #target: TelemetryTarget
  readonly #sending = new Set<Promise<void>>()
  #isTold = false

  constructor(target: TelemetryTarget) {
    this.#target = target
    guardSecrets(Object.values(target.headers))
  }

  begin(): RunTrace {
    return new RunTrace((spans, traceId) => this.#send(spans, traceId))
  }

  /** What is under way is waited for, but not long. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#sending)
  }

  #send(spans: Span[], traceId: string): void {
    const sent = this.#post(JSON.stringify(this.#documentOf(spans, traceId)))
      .catch((error: unknown) => {
        if (this.#isTold) return
        this.#isTold = true
        const reason = error instanceof Error ? error.message : String(error)
        log('warn', redact(`Traces do not reach ${this.#target.url}: ${reason}`))
      })
      .finally(() => this.#sending.delete(sent))
    this.#sending.add(sent)
  }

  async #post(body: string): Promise<void> {
    const { url, headers } = this.#target
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`it answered ${response.status}`)
  }

  #documentOf(spans: Span[], traceId: string) {
    const resource = { 'service.name': this.#target.service, 'service.version': packageVersion() }
    return {
      resourceSpans: [
        {
          resource: { attributes: attributesOf(resource) },
          scopeSpans: [
            {
              scope: { name: 'recollect.agent', version: packageVersion() },
              spans: spans.map((span) => ({
                traceId,
                spanId: span.spanId,
                parentSpanId: span.parentSpanId ?? '',
                name: span.name,
                kind: span.kind,
                startTimeUnixNano: nanos(span.began),
                endTimeUnixNano: nanos(span.ended),
                attributes: attributesOf({ ...span.attributes, 'error.type': span.error }),
                status: span.error ? { code: 2, message: span.error } : { code: 0 },
              })),
            },
          ],
        },
      ],
    }
  }
}

/** One run: the agent's own span, and below it one for each call of a model and of a tool. */
export class RunTrace {
  readonly #send: (spans: Span[], traceId: string) => void
  readonly #root = idOf(8)
  readonly #began = Date.now()
  readonly #spans: Span[] = []
  #about: { provider: string; model: string; session: string } | undefined

  constructor(send: (spans: Span[], traceId: string) => void) {
    this.#send = send
  }

  take(event: AgentEvent): void {
    if (event.type === 'start') {
      const { provider, model, sessionId: session } = event
      this.#about = { provider: PROVIDERS[provider] ?? provider, model, session }
    }
    if (event.type === 'step') {
      const { usage, latencyMs, finish } = event
      this.#add(`chat ${this.#about?.model}`, CLIENT, latencyMs, {
        'gen_ai.operation.name': 'chat',
        'gen_ai.response.finish_reasons': [finish],
        'gen_ai.usage.input_tokens': usage.input,
        'gen_ai.usage.output_tokens': usage.output,
        'gen_ai.usage.cache_read.input_tokens': usage.cached,
      })
    }
    if (event.type === 'tool-result') {
      const { tool, id, durationMs, success } = event
      const about = {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool,
        'gen_ai.tool.call.id': id,
        'gen_ai.tool.type': 'function',
      }
      this.#add(`execute_tool ${tool}`, INTERNAL, durationMs, about, success ? undefined : 'tool_error')
    }
  }

  end({ usage }: RunResult): void {
    this.#finish({
      'gen_ai.usage.input_tokens': usage.input,
      'gen_ai.usage.output_tokens': usage.output,
    })
  }

  fail(error: unknown): void {
    const name = error instanceof Error ? error.name : 'Error'
    this.#finish({}, error instanceof RecollectError ? error.code : name)
  }

  #add(name: string, kind: 1 | 3, ms: number, attributes: Record<string, Value>, error?: string): void {
    const ended = Date.now()
    const more = { ...attributes, ...this.#common() }
    const place = { spanId: idOf(8), parentSpanId: this.#root, began: ended - ms, ended }
    this.#spans.push({ name, kind, ...place, attributes: more, ...(error && { error }) })
  }

  #finish(usage: Record<string, Value>, error?: string): void {
    const attributes = {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'recollect',
      ...usage,
      ...this.#common(),
    }
    const place = { spanId: this.#root, began: this.#began, ended: Date.now() }
    const root: Span = { name: 'invoke_agent recollect', kind: INTERNAL, ...place, attributes }
    this.#send([{ ...root, ...(error && { error }) }, ...this.#spans], idOf(16))
  }

  #common(): Record<string, Value> {
    const { provider, model, session } = this.#about ?? {}
    return {
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
      'gen_ai.conversation.id': session,
    }
  }
}

function attributesOf(attributes: Record<string, Value>): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: otlpValue(value) }],
  )
}

function otlpValue(value: NonNullable<Value>): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } }
  return typeof value === 'number' ? { intValue: String(value) } : { stringValue: value }
}

function nanos(ms: number): string {
  return `${Math.round(ms)}000000`
}

function idOf(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}
