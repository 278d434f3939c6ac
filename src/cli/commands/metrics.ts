import { USAGE_GROUPS } from '../../archive/archive.ts'
import type { Answers } from '../../capabilities/index.ts'
import { type ChoiceOptions, choice, type OriginOptions, oneOf, originIn, withGate } from '../call.ts'
import { EXIT } from '../errors.ts'
import { dateTime, wholeNumber } from '../format.ts'
import { timeWithoutChats } from '../no-chats.ts'
import { fit, oneLine, pad, paint, width } from '../paint.ts'
import { noteLines } from '../results.ts'

interface Options extends ChoiceOptions, OriginOptions {
  by?: string
  tool?: string
  limit?: string
}

type MetricsAnswer = Answers['usage_metrics']
type Metrics = MetricsAnswer['totals']

const MOST_CHATS = 20
const BARS = '▁▂▃▄▅▆▇█'
const LINE = 60

/** What was said, used and paid. */
export async function metrics(chats: string[], options: Options): Promise<void> {
  await withGate(options, async (ask) => {
    const group_by = options.by === undefined ? undefined : oneOf(options.by, USAGE_GROUPS, 'by')
    const limit = wholeNumber(options.limit, 'limit', 1) ?? (group_by === 'chat' ? MOST_CHATS : undefined)
    const input = { ...choice(chats, options), ...originIn(options), group_by, tool: options.tool, limit }
    const answer = await ask('usage_metrics', input)
    if (answer.totals.messages === 0) process.exitCode = EXIT.notFound
    if (options.json) console.log(JSON.stringify(answer))
    else if (answer.totals.messages === 0) {
      const none = [
        'No chats match. `recollect status` shows what is in the archive.',
        ...noteLines(answer.notes),
      ]
      console.log((await timeWithoutChats(ask, options)) ?? none.join('\n'))
    } else console.log(metricsTable(answer))
  })
}

function metricsTable(answer: MetricsAnswer): string {
  const { bold, dim, yellow } = paint(process.stdout)
  const { groups = [], totals, prices } = answer
  const isTool = answer.group_by === 'tool'
  const header = isTool ? ['tool', 'calls', 'failed'] : HEADER.with(0, answer.group_by ?? '')
  const rows = groups.map((group) =>
    isTool ? toolRow(group) : row(group.title ?? group.key, group as Metrics),
  )
  const all = [header, ...rows, isTool ? toolRow({ key: 'together', ...totals }) : row('together', totals)]
  const widths = header.map((_, column) => Math.max(...all.map((cells) => width(cells[column]!))))
  const lines = all.map((cells) =>
    cells
      .map((cell, column) =>
        column === 0 ? pad(cell, widths[0]!) : ' '.repeat(widths[column]! - width(cell)) + cell,
      )
      .join('  '),
  )
  const weights = groups.map((group) =>
    isTool ? (group.tools?.calls ?? 0) : (group.tokens?.input ?? 0) + (group.tokens?.output ?? 0),
  )
  const barred = lines.map((line, i) =>
    i > 0 && i <= groups.length ? `${line}  ${bar(weights, i - 1)}` : line,
  )
  const notes = [
    !isTool && `Cost is an estimate at list prices of ${prices.asOf}.`,
    !isTool &&
      totals.cost.unknown > 0 &&
      `${totals.cost.unknown} messages have no price${prices.unknownModels.length > 0 ? `: ${prices.unknownModels.join(', ')}` : ''}.`,
  ].filter(Boolean)
  return [
    ...(answer.group_by === 'day' && groups.length > 1 ? [sparkline(weights)] : []),
    bold(barred[0]!),
    ...barred.slice(1),
    dim(notes.join(' ')),
    ...failedLines(answer),
    ...(answer.notFound ?? []).map(({ error }) => yellow(oneLine(error))),
    ...noteLines(answer.notes),
  ].join('\n')
}

/** What the newest calls that failed were answered. */
function failedLines({ failed = [] }: MetricsAnswer): string[] {
  const { bold, dim, cyan } = paint(process.stdout)
  if (failed.length === 0) return []
  return [
    bold('Failed lately:'),
    ...failed.map(
      ({ tool, chatId, index, createdAt, error }) =>
        `${dim(dateTime(createdAt ?? undefined))}  ${cyan(`${oneLine(chatId).slice(0, 8)} #${index}`)}  ${oneLine(tool)}: ${fit(oneLine(error), 100)}`,
    ),
  ]
}

const HEADER = [
  '',
  'requests',
  'answers',
  'input',
  'cached',
  'output',
  'cost',
  'p50',
  'p95',
  'tool calls',
  'failed',
]

function row(key: string, { requests, answers, tokens, cost, latencyMs, tools }: Metrics): string[] {
  return [
    fit(oneLine(key), 40),
    short(requests),
    short(answers),
    short(tokens.input),
    short(tokens.cached),
    short(tokens.output),
    cost.usd === null ? 'unknown' : `$${cost.usd.toFixed(2)}${cost.unknown > 0 ? '+' : ''}`,
    latencyMs ? seconds(latencyMs.p50) : '',
    latencyMs ? seconds(latencyMs.p95) : '',
    short(tools.calls),
    short(tools.failures),
  ]
}

function toolRow({ key, tools }: { key: string; tools?: Metrics['tools'] }): string[] {
  return [fit(oneLine(key), 40), short(tools?.calls ?? 0), short(tools?.failures ?? 0)]
}

function bar(weights: number[], at: number): string {
  const most = Math.max(1, ...weights)
  return '█'.repeat(Math.round((weights[at]! / most) * 20))
}

/** The newest days, one column each. */
function sparkline(weights: number[]): string {
  const shownWeights = weights.slice(-LINE)
  const most = Math.max(1, ...shownWeights)
  return shownWeights
    .map((weight) => BARS[Math.min(BARS.length - 1, Math.floor((weight / most) * BARS.length))])
    .join('')
}

function short(n: number): string {
  if (n < 10_000) return n.toLocaleString('en-US')
  return n < 1e6 ? `${(n / 1e3).toFixed(0)}k` : `${(n / 1e6).toFixed(1)}M`
}

function seconds(ms: number): string {
  return ms < 100_000 ? `${(ms / 1000).toFixed(1)} s` : `${(ms / 60_000).toFixed(0)} min`
}
