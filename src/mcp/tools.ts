import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Caller, Capability } from '../capabilities/capability.ts'
import { RecollectError } from '../model/errors.ts'
import { log } from '../platform/log.ts'
import { coverage } from './coverage.ts'
import { cursorOf, fit, placeOf } from './fit.ts'
import { QUOTED } from './quote.ts'
import { depsOf, type Shared } from './shared.ts'

/** Room for what we say besides the answer: the label, the coverage, the cursor. */
const OURS = 700
const LEAST_CHARS = 2_000
const MOST_CHARS = 2_000_000
/** How long a call waits for the first chats ever to be read. */
const FIRST_SYNC_MS = 10_000
/** Clients that load tools only when searched for are asked to have these at hand. */
const CORE = new Set(['search_conversations', 'gather_chats'])

export function toolList(capabilities: Capability[]): Tool[] {
  return capabilities.map(({ name, title, description, writes, input }) => ({
    name,
    title,
    description,
    inputSchema: inputSchema(input, writes),
    annotations: writes
      ? { readOnlyHint: false, destructiveHint: false, openWorldHint: false }
      : { readOnlyHint: true, openWorldHint: false },
    ...(CORE.has(name) && { _meta: { 'anthropic/alwaysLoad': true } }),
  }))
}

type JsonSchema = Record<string, unknown>

function inputSchema(input: z.ZodType, writes: boolean): Tool['inputSchema'] {
  const schema = slim(z.toJSONSchema(input, { io: 'input' })) as JsonSchema
  const own = (schema.properties ?? {}) as JsonSchema
  // Any answer may be too long for the client, and then goes on from a cursor.
  const paging = { cursor: { type: 'string' }, max_chars: { type: 'integer', minimum: LEAST_CHARS } }
  const properties = writes ? own : { ...paging, ...own }
  return { ...schema, type: 'object', properties } as Tool['inputSchema']
}

/** Without what says nothing: the dialect, and bounds that only repeat what a number can hold. */
function slim(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(slim)
  if (!value || typeof value !== 'object') return value
  if ('type' in value && Array.isArray(value.type)) {
    // Some hosts know only one type per schema.
    const { type: types, ...rest } = value
    return slim({ ...rest, anyOf: types.map((type) => ({ type })) })
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, each]) =>
          key !== '$schema' &&
          !(key === 'additionalProperties' && (each === false || isEmpty(each))) &&
          !((key === 'maximum' || key === 'minimum') && Math.abs(Number(each)) === Number.MAX_SAFE_INTEGER),
      )
      .map(([key, each]) => [key, slim(each)]),
  )
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** Calls a capability. Text and structured content are the same JSON, within the client's budget. */
export async function callTool(
  shared: Shared,
  name: string,
  given: Record<string, unknown>,
  caller: Caller,
  { inBytes = false } = {},
): Promise<CallToolResult> {
  const capability = (await shared.capabilities()).find((each) => each.name === name)
  if (!capability) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`)
  const answered = await callOnce(shared, capability, given, caller)
  const { maxChars = LEAST_CHARS } = caller
  if (!inBytes || capability.writes || given.max_chars !== undefined) return answered
  // How many bytes a character takes is known only now.
  const bytes = Buffer.byteLength(JSON.stringify(answered.structuredContent))
  if (bytes <= maxChars) return answered
  const { length } = JSON.stringify(answered.structuredContent)
  const fitting = Math.floor(((maxChars * length) / bytes) * 0.9)
  return await callOnce(shared, capability, given, { ...caller, maxChars: fitting })
}

async function callOnce(
  shared: Shared,
  capability: Capability,
  given: Record<string, unknown>,
  caller: Caller,
): Promise<CallToolResult> {
  const page = placeOf(given.cursor)
  const budget = budgetOf(given.max_chars, caller.maxChars)
  const input = capability.input.safeParse(passedOn(given, page, budget))
  if (!input.success) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Invalid arguments for ${capability.name}: ${z.prettifyError(input.error)}`,
    )
  }
  try {
    const deps = await depsOf(shared, { ...caller, maxChars: budget - OURS })
    const answer = await handled(shared, () => capability.handle(deps, input.data))
    const failed = answer.success === false
    const head = {
      ...(!capability.writes && !failed && { quoted: QUOTED }),
      ...(capability.set !== 'context' && !('success' in answer) && { coverage: await coverage(shared) }),
    }
    const room = budget - JSON.stringify(head).length - 300
    const { value, next } = fit(answer, Math.max(300, room), page?.place)
    const more = next && {
      more: {
        cursor: cursorOf(next, page ? page.own : ownCursor(given)),
        hint: 'The answer goes on: call again with the same arguments and this cursor.',
      },
    }
    return result({ ...head, ...(value as object), ...more }, failed)
  } catch (error) {
    return failure(error, shared)
  }
}

/** Where nothing has been synced ever, the first sync is given a moment. */
async function handled(shared: Shared, work: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const patience = Date.now() + FIRST_SYNC_MS
  for (;;) {
    try {
      return (await work()) as Record<string, unknown>
    } catch (error) {
      if (!isFirstSync(error, shared) || Date.now() > patience) throw error
      await sleep(100)
    }
  }
}

function isFirstSync(error: unknown, { syncing }: Shared): boolean {
  const isEmpty = error instanceof RecollectError && error.code === 'NO_SESSIONS'
  return isEmpty && /^(starting|reading)$/.test(syncing()?.state ?? '')
}

function budgetOf(asked: unknown, ofClient = LEAST_CHARS): number {
  const most = typeof asked === 'number' && Number.isFinite(asked) ? asked : ofClient
  return Math.floor(Math.min(MOST_CHARS, Math.max(LEAST_CHARS, most)))
}

/**
 * The arguments as the capability knows them: our cursor taken off, our share of the room as well.
 * Some models write null for what they leave out.
 */
function passedOn(
  given: Record<string, unknown>,
  page: { own?: string } | undefined,
  budget: number,
): Record<string, unknown> {
  const said = Object.entries(given).filter(([, value]) => value !== null)
  const { cursor, max_chars: asked, ...rest } = Object.fromEntries(said)
  return {
    ...rest,
    ...(page ? page.own !== undefined && { cursor: page.own } : cursor !== undefined && { cursor }),
    ...(asked !== undefined && { max_chars: typeof asked === 'number' ? budget - OURS : asked }),
  }
}

function ownCursor(given: Record<string, unknown>): string | undefined {
  return typeof given.cursor === 'string' ? given.cursor : undefined
}

function failure(error: unknown, shared: Shared): CallToolResult {
  if (!(error instanceof RecollectError)) {
    log('error', error instanceof Error ? (error.stack ?? error.message) : String(error))
    const message = error instanceof Error ? error.message : String(error)
    return result(
      { code: 'UNEXPECTED', message, hint: 'Try again; `recollect doctor` checks the archive.' },
      true,
    )
  }
  const { code, message, details } = error
  const hint = isFirstSync(error, shared) ? 'The first sync is running: try again in a moment.' : error.hint
  return result({ code, message, hint: hint ?? '', ...details }, true)
}

function result(answer: Record<string, unknown>, isError: boolean): CallToolResult {
  const text = JSON.stringify(answer)
  return {
    content: [{ type: 'text', text }],
    // The very same JSON: what is undefined is left out of both.
    structuredContent: JSON.parse(text) as Record<string, unknown>,
    ...(isError && { isError }),
  }
}
