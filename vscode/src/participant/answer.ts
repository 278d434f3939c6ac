import * as vscode from 'vscode'
import type { Answers } from '../../../src/capabilities/index.ts'
import { RecollectError } from '../../../src/model/errors.ts'
import type { Caller } from '../../../src/service/caller.ts'
import { quoted } from '../../../src/service/quote.ts'
import { sourceName } from '../../../src/sources/names.ts'
import type { Backend } from '../backend.ts'
import { currentDialog } from '../current/dialog.ts'
import { referenceOf } from '../dialogs/groups.ts'
import type { Secretary } from '../secretary.ts'
import { tick } from '../ticks.ts'
import { ago, count, messageOf, t } from '../words.ts'
import { CitedStream, passagesOf } from './cited.ts'
import { dialogLink, plain, trusted } from './links.ts'

const SHOWN = 8
const LATEST = 10
/** Below this the words are looked for more forgivingly. */
const SURE = 0.3

type ChatResult = Answers['search_conversations']['results'][number]

/** Answers from history: with the request's model where it works, else with what was found as it is. */
export async function answer(
  backend: Backend,
  request: vscode.ChatRequest,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const secretary = await backend.secretary()
  secretary.syncing()
  tick('recalled')
  // The person asks, but what is found may go to a model: no setting reveals anything here.
  const caller: Caller = { ...backend.caller(), reveal: false }
  if (request.command === 'requests') return await tellRequests(backend, caller, request, stream)
  const question = request.prompt.trim()
  if (request.command === 'recent' || question === '') return await tellRecent(secretary, caller, stream)
  stream.progress(t('Searching your chats'))
  let results: ChatResult[]
  try {
    results = await found(secretary, caller, question)
  } catch (error) {
    if (!(error instanceof RecollectError)) throw error
    stream.markdown([error.message, error.hint].filter(Boolean).join(' '))
    return { metadata: { dialogs: [] } }
  }
  if (token.isCancellationRequested) return {}
  if (results.length === 0) {
    stream.markdown(t('Nothing in your chats matches. Try other words, or fewer.'))
    return { metadata: { dialogs: [] } }
  }
  const isPhrased = request.command !== 'search' && (await phrased(backend, request, results, stream, token))
  stream.markdown(sources(results, isPhrased))
  return { metadata: { dialogs: results.map(referenceOfResult) } }
}

/** As asked; where that is not convincing, with typos forgiven and related words. */
async function found(secretary: Secretary, caller: Caller, query: string): Promise<ChatResult[]> {
  const options = { query, limit_chats: SHOWN, limit_snippets_per_chat: 3, snippet_window: 300 }
  const exact = await secretary.ask('search_conversations', options, caller)
  const best =
    exact.confidence >= SURE && exact.results.length > 0
      ? exact
      : await secretary.ask(
          'search_conversations',
          { ...options, precision_mode: 'fuzzy', expand: 'auto' },
          caller,
        )
  return best.results.length > 0 ? best.results : exact.results
}

/** Has the model that the person chose write the answer. False where there is none that works. */
async function phrased(
  backend: Backend,
  { model, prompt }: vscode.ChatRequest,
  results: ChatResult[],
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<boolean> {
  const passages = passagesOf(results)
  const task = [
    "Answer the question from these passages of the user's past chats with AI assistants, and from nothing else.",
    'After every claim name the passage that says so, as [1] or [2]. Say so when they do not answer it. Be brief.',
    ...passages.map(({ result, role, text }, n) =>
      quoted(`[${n + 1}] ${result.title}, ${result.source}, ${result.date}`, `${role}: ${text}`),
    ),
    `Question: ${prompt}`,
  ].join('\n\n')
  let isBegun = false
  const cited = new CitedStream(passages, (text) => stream.markdown(text))
  try {
    const response = await model.sendRequest([vscode.LanguageModelChatMessage.User(task)], {}, token)
    for await (const piece of response.text) {
      cited.add(piece)
      isBegun = true
    }
  } catch (error) {
    if (token.isCancellationRequested) throw error
    backend.log.info(`@recollect answers without a model: ${messageOf(error)}`)
  } finally {
    cited.end()
  }
  return isBegun
}

function sources(results: ChatResult[], isPhrased: boolean): vscode.MarkdownString {
  const text = trusted()
  const heading = isPhrased
    ? `\n\n---\n\n**${t('From these chats')}**\n`
    : `**${t('{0} found', count(results.length, 'chat'))}**\n`
  text.appendMarkdown(heading)
  for (const [n, result] of results.entries()) {
    const [snippet] = result.snippets
    const index = snippet?.source === 'title' ? undefined : snippet?.index
    const facts = [sourceName(result.source), result.updatedAt ? ago(result.updatedAt) : result.date]
    text.appendMarkdown(`\n${n + 1}. ${dialogLink(referenceOfResult(result), result.title, index)} `)
    text.appendMarkdown(`${plain(facts.join(', '))}\n`)
    if (isPhrased) continue
    for (const { text: said } of result.snippets.slice(0, 2))
      text.appendMarkdown(`\n   > ${plain(said.replace(/\s+/g, ' '))}\n`)
  }
  return text
}

async function tellRecent(
  secretary: Secretary,
  caller: Caller,
  stream: vscode.ChatResponseStream,
): Promise<vscode.ChatResult> {
  const chats = await secretary.reader(caller).chats({}, { limit: LATEST })
  if (chats.length === 0) {
    stream.markdown(t('No chats have been read yet.'))
    stream.button({ command: 'recollect.syncNow', title: t('Read My Chats') })
  } else {
    const text = trusted()
    text.appendMarkdown(`**${t('Your latest chats')}**\n`)
    for (const chat of chats) {
      const facts = [sourceName(chat.source), ago(chat.updatedAt), count(chat.requestCount, 'request')]
      text.appendMarkdown(`\n- ${dialogLink(referenceOf(chat), chat.title)} ${plain(facts.join(', '))}\n`)
    }
    stream.markdown(text)
  }
  return { metadata: { dialogs: chats.map(referenceOf) } }
}

/** What was asked in the newest dialog of this window. */
async function tellRequests(
  backend: Backend,
  caller: Caller,
  { toolInvocationToken }: vscode.ChatRequest,
  stream: vscode.ChatResponseStream,
): Promise<vscode.ChatResult> {
  const secretary = await backend.secretary()
  const dialog = await currentDialog(backend, secretary, toolInvocationToken)
  const list = await secretary.ask('list_requests', { limit: 100 }, { ...caller, ...dialog })
  const { sessionId = '', totalRequests = 0, requests = [] } = list
  if (!list.success) {
    stream.markdown(list.error ?? t('No active chat found'))
    return {}
  }
  const text = trusted()
  text.appendMarkdown(`**${count(totalRequests, 'request')}**: ${dialogLink(sessionId, t('this chat'))}\n`)
  for (const { index, preview, timestamp } of requests)
    text.appendMarkdown(`\n${index}. ${plain(preview)} ${plain(timestamp ? ago(timestamp) : '')}\n`)
  stream.markdown(text)
  return { metadata: { dialogs: [sessionId] } }
}

function referenceOfResult({ source, chatId }: ChatResult): string {
  return referenceOf({ source, id: chatId })
}
