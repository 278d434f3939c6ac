import type { Answers } from '../../capabilities/index.ts'
import { ROLES, type Role } from '../../model/chat.ts'
import { type CallOptions, oneOf, withGate } from '../call.ts'
import { assertInOrder, count, dateTime, pastEnd, wholeNumber } from '../format.ts'
import { page } from '../pager.ts'
import { fit, oneLine, paint, printable } from '../paint.ts'

interface Options extends CallOptions {
  tools?: boolean
  role?: string[]
  from?: string
  to?: string
  maxChars?: string
  cursor?: string
  pager?: boolean
}

/** One chat, or several merged with what they share. */
export async function gather(chatIds: string[], options: Options): Promise<void> {
  await withGate(options, async (ask) => {
    const input = {
      chatIds,
      includeTools: options.tools ?? true,
      ...(options.role && { roles: options.role.map((role): Role => oneOf(role, ROLES, 'role')) }),
      from: wholeNumber(options.from, 'from'),
      to: wholeNumber(options.to, 'to'),
      max_chars: wholeNumber(options.maxChars, 'max-chars', 1_000),
      cursor: options.cursor,
    }
    assertInOrder(input.from, input.to)
    const answer = await ask('gather_chats', input)
    const { chat, messages = [] } = answer
    if (chat && input.from && input.from >= chat.messageCount && messages.length === 0)
      throw pastEnd(input.from, chat.messageCount, 'message')
    if (options.json) console.log(JSON.stringify(answer))
    else await page(lines(answer), options.pager ?? true)
  })
}

type Gathered = Answers['gather_chats']
type AgentMessage = NonNullable<Gathered['messages']>[number]

function* lines(answer: Gathered): Generator<string> {
  const { bold, dim, yellow } = paint(process.stdout)
  if (answer.chat) {
    yield bold(printable(answer.chat.title))
    yield dim(`${answer.chat.source} · ${answer.chat.id} · ${count(answer.chat.messageCount, 'message')}`)
    for (const message of answer.messages ?? []) yield* messageLines(message)
  } else {
    for (const { chatIdx, title, source, id } of answer.meta ?? [])
      yield `${bold(`[${chatIdx}] ${printable(title)}`)} ${dim(`${source} · ${id}`)}`
    yield* shared(answer)
    for (const message of answer.narrative ?? []) yield* messageLines(message, message.chatIdx)
  }
  for (const { error } of answer.notFound ?? []) yield yellow(oneLine(error))
  if (answer.leftOut?.cursor)
    yield dim(`… ${count(answer.leftOut.messages, 'message')} more: --cursor ${answer.leftOut.cursor}`)
}

function* shared({ commonAlignment = [], differences = [] }: Gathered): Generator<string> {
  const { bold, dim } = paint(process.stdout)
  if (commonAlignment.length > 0) yield `\n${bold('Shared')}`
  for (const { content, refs } of commonAlignment) {
    yield `  ${fit(oneLine(content), 100)}`
    yield dim(`    ${refs.map(({ chatIdx, index }) => `[${chatIdx}] #${index}`).join('  ')}`)
  }
  for (const { chatIdx, only } of differences) {
    if (only.length > 0) yield `\n${bold(`Only in [${chatIdx}]`)}`
    for (const { index, content } of only) yield `  ${dim(`#${index}`)} ${fit(oneLine(content), 100)}`
  }
}

function* messageLines(message: AgentMessage, chatIdx?: number): Generator<string> {
  const { bold, dim, green, cyan } = paint(process.stdout)
  const colour = message.role === 'user' ? green : message.role === 'assistant' ? cyan : dim
  const where = chatIdx === undefined ? '' : `[${chatIdx}] `
  yield ''
  yield `${colour(bold(`${where}${message.kind ?? message.role}`))} ${dim(`#${message.index}  ${dateTime(message.createdAt ?? undefined)}`)}`
  if (message.content) yield printable(message.content).trimEnd()
  for (const { type, name } of message.attachments ?? []) yield dim(`  + ${oneLine(`${type}: ${name}`)}`)
  for (const { server, tool, args } of message.tools?.calls ?? []) {
    const name = oneLine(server ? `${server}/${tool}` : tool)
    yield dim(`  → ${name} ${args === undefined ? '' : fit(oneLine(JSON.stringify(args)), 100)}`)
  }
  for (const result of message.tools?.results ?? []) {
    const text = result.text ?? JSON.stringify(result.json ?? '')
    yield dim(`  ← ${fit(oneLine(text), 100)}${result.exitCode ? ` (exit ${result.exitCode})` : ''}`)
  }
}
