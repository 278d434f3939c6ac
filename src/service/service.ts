import { actsOf, type Capability, type Deps, writes } from '../capabilities/capability.ts'
import type { Answers, CapabilityName } from '../capabilities/index.ts'
import { RecollectError } from '../model/errors.ts'
import { thisMachine } from '../platform/machine.ts'
import { keepRefusalCode, noteRefusalCode, refusalCode } from '../recall/refusal-code.ts'
import type { Service } from './answering.ts'
import type { CallAnswer } from './aside-words.ts'
import { type Budget, budgeted, fitted, UNCUT } from './budget.ts'
import type { Caller } from './caller.ts'
import { countsOf, coverage } from './coverage.ts'
import { type Failure, failureOf, UNKNOWN_CAPABILITY } from './failure.ts'
import { asObject } from './forgiving.ts'
import { whenSynced } from './fresh.ts'
import { cleanerFor, outgoingFor } from './outgoing.ts'
import { checkPlaces } from './places.ts'
import { ofOthers, QUOTED } from './quote.ts'
import { inputOf } from './reading.ts'
import { demand } from './rights.ts'
import { worded } from './wording.ts'

export type { Service } from './answering.ts'

export type Answer = Record<string, unknown>
export type Outcome<A = Answer> =
  | { answer: A; failure?: undefined }
  | { failure: Failure; answer?: undefined }

/**
 * The one way to a capability: rights, meaning, places, freshness, the capability itself, redaction,
 * quoting, budget, failure. Faces translate what comes in and what goes out, and nothing else.
 */
export async function call<N extends CapabilityName>(
  service: Service,
  name: N,
  given: unknown,
  caller: Caller,
): Promise<Outcome<Answers[N]>>
export async function call(service: Service, name: string, given: unknown, caller: Caller): Promise<Outcome>
export async function call(service: Service, name: string, given: unknown, caller: Caller): Promise<Outcome> {
  try {
    return { answer: await answerTo(service, name, given, caller) }
  } catch (error) {
    return { failure: failureOf(error, caller) }
  }
}

async function answerTo(service: Service, name: string, given: unknown, caller: Caller): Promise<Answer> {
  const capability =
    (await service.capabilities()).find((each) => each.name === name) ?? (await internalOne(name, caller))
  if (!capability)
    throw new RecollectError(UNKNOWN_CAPABILITY, `There is no ${name}.`, await offered(service))
  demand(caller, capability.acts)
  const said = asObject(given)
  const at = caller.askedAt ?? Date.now()
  const answer = await once(service, capability, said, caller, at)
  const { budget, inBytes } = caller
  if (!inBytes || budget === undefined || writes(capability) || said.max_chars !== undefined) return answer
  // How many bytes a character takes is known only now.
  const text = JSON.stringify(answer)
  const bytes = Buffer.byteLength(text)
  if (bytes <= budget) return answer
  const fitting = Math.floor(((budget * text.length) / bytes) * 0.9)
  return await once(service, capability, said, { ...caller, budget: fitting }, at)
}

async function offered(service: Service): Promise<string> {
  return `There are ${(await service.capabilities()).map((each) => each.name).join(', ')}.`
}

/** Our own faces read chats in ways that are offered to nobody else. */
async function internalOne(name: string, { kind }: Caller): Promise<Capability | undefined> {
  if (kind !== 'owner') return undefined
  const { allCapabilities } = await import('../capabilities/index.ts')
  return allCapabilities.find((each) => each.internal && each.name === name)
}

async function once(
  service: Service,
  capability: Capability,
  given: Record<string, unknown>,
  caller: Caller,
  at: number,
): Promise<Answer> {
  const size = briefFor(capability, given, caller)
  const budget: Budget =
    caller.budget === undefined
      ? { chars: UNCUT, room: UNCUT, given }
      : budgeted(given, Math.min(caller.budget, size?.chars ?? caller.budget))
  const { input, notes } = await inputOf(capability, budget.given, { archive: service.archive, caller })
  const acts = actsOf(capability, input)
  const rights = demand(caller, acts)
  const aside = await asideFor(service, capability, input)
  if (aside) {
    const task = { kind: 'call' as const, name: capability.name, given, isWaiting: aside.isWaiting }
    const { answer, refusal } = (await aside.run(task, { ...caller, askedAt: at })) as CallAnswer
    noteRefusalCode(answer, refusal)
    return answer
  }
  const isRevealed = caller.reveal === true || acts.includes('reveal')
  const { clean, finish, chats } = outgoingFor(service.archive, caller, isRevealed)
  const call = caller.kind === 'agent' ? { tool: capability.name, args: given, at } : undefined
  const archiveOnly = isArchiveOnly(service, capability, input)
  const deps = await depsOf(service, caller, { clean, room: budget.room, call, archiveOnly })
  const bound = acts.filter((_, at) => rights[at]?.inside)
  if (bound.length > 0)
    checkPlaces(bound, input as object, { roots: caller.roots ?? [], machine: deps.machine })
  const told = await whenSynced(service, () => capability.handle(deps, input))
  const answer = withNotes(finish(told) as Answer, finish(notes))
  keepRefusalCode(told as object, answer)
  if (answer.success === false && typeof answer.hint === 'string')
    answer.hint = worded(answer.hint, caller.kind)
  if (caller.kind !== 'agent') return answer
  const about = {
    ...(isRecalled(capability, answer) && { quoted: await quotedFrom(service, chats) }),
    ...(capability.set !== 'context' && !('success' in answer) && { coverage: await coverage(service) }),
  }
  const own = typeof given.cursor === 'string' ? given.cursor : undefined
  const whole = parted(answer, about, capability.first)
  if (!size || (size.isWholeFine && JSON.stringify({ ...whole.head, ...whole.rest }).length <= budget.chars))
    return fitted(whole.rest, whole.head, budget, own)
  const room = budget.chars - JSON.stringify(about).length
  const short = await size.of(deps, input, answer, { room, isSized: size.isSized })
  const { head, rest } = parted(short as Answer, about, capability.first)
  return fitted(rest, head, budget, own)
}

/** Whether the assistants' formats are not needed. What looks at the machine needs one that is known without them. */
function isArchiveOnly({ machine }: Service, { archiveOnly }: Capability, input: unknown): boolean {
  return typeof archiveOnly === 'function'
    ? machine !== undefined && archiveOnly(input)
    : archiveOnly === true
}

/** Whether an answer may repeat what was said or written: all but those that only tell what was written, and refusals that name no chat. */
function isRecalled({ acts }: Capability, answer: Answer): boolean {
  if (answer.success === false) return 'candidates' in answer || refusalCode(answer) === 'AMBIGUOUS_ID'
  return !writes({ acts })
}

/** Whose words these are: of the person who asks, or of others too. */
async function quotedFrom({ archive }: Service, chats: ReadonlySet<number>): Promise<string> {
  const authors = chats.size > 0 ? await archive.authorsOf(chats) : []
  return authors.length > 0 ? `${QUOTED} ${ofOthers(authors)}` : QUOTED
}

/** Where this call is answered, if not here. */
async function asideFor({ archive, aside }: Service, { long }: Capability, input: unknown) {
  if (!aside || !long) return undefined
  const { chats, messages } = await countsOf(archive)
  const messagesOf = async (chat: string) =>
    (await archive.resolveChat(chat).catch(() => undefined))?.messageCount ?? 0
  const kind = await long(input, { chats, messages, messagesOf })
  if (kind === false) return undefined
  const { run } = await aside()
  return { run, isWaiting: kind === 'waits' }
}

/** How a model's answer is kept short; nothing where it is not. */
function briefFor({ brief }: Capability, given: Record<string, unknown>, { kind, isBudgetChosen }: Caller) {
  if (!brief || kind !== 'agent') return undefined
  const isSized = brief.sizes.some((name) => given[name] !== undefined && given[name] !== null)
  const isWholeFine = isBudgetChosen === true || typeof given.max_chars === 'number'
  const chars = isSized || isWholeFine ? undefined : brief.chars
  return { of: brief.of, isSized, isWholeFine, ...(chars && { chars }) }
}

/** What is said first and on every page, and the rest. */
function parted(
  answer: Answer,
  about: Answer,
  first: readonly string[] = [],
): { head: Answer; rest: Answer } {
  const isFirst = new Set(first)
  const entries = Object.entries(answer)
  return {
    head: { ...Object.fromEntries(entries.filter(([key]) => isFirst.has(key))), ...about },
    rest: Object.fromEntries(entries.filter(([key]) => !isFirst.has(key))),
  }
}

/** What was taken for what stands with what the capability itself has to say. */
function withNotes(answer: Answer, notes: string[]): Answer {
  if (notes.length === 0) return answer
  const own = Array.isArray(answer.notes) ? answer.notes : []
  return { ...answer, notes: [...notes, ...own] }
}

/** What is known where a capability is called. */
type Known = Pick<Deps, 'clean' | 'room'> & { archiveOnly: boolean; call: Deps['caller']['call'] }

/** What a capability works with when this caller asks. */
export async function depsOf(
  { archive, readable, machine: known }: Service,
  {
    dialog,
    userDialog,
    callId,
    startedUsAt,
    assistant,
    roots,
    shown,
    progress,
    signal: _,
    ...caller
  }: Caller,
  {
    clean = cleanerFor(archive, caller),
    room = caller.budget ?? UNCUT,
    call,
    archiveOnly,
  }: Partial<Known> = {},
): Promise<Deps> {
  const { sources, machine } = archiveOnly
    ? { sources: [], machine: (await known?.()) ?? thisMachine() }
    : await readable()
  const { client, isAssistant } = caller
  return {
    archive,
    machine,
    sources,
    caller: {
      sessionId: dialog,
      userDialog,
      call: call && { ...call, id: callId },
      startedUsAt,
      assistant:
        assistant ?? (isAssistant ? sources.find((each) => each.client?.test(client ?? ''))?.id : undefined),
      workspace: roots?.[0],
      shown,
    },
    clean,
    room,
    progress,
  }
}
