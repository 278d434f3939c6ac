import type { Agent, AgentEvent, Approval, Decision, RunRequest, RunResult } from '../agent/agent.ts'
import { createAgent } from '../agent/index.ts'
import { matches } from '../agent/policy.ts'
import { syncRuns } from '../agent/sync-runs.ts'
import type { Person } from '../agent/tool.ts'
import { readConfig } from '../platform/config.ts'
import { AGENT_SOURCE } from '../sources/recollect-agent/place.ts'
import { archiveFolder, type GlobalOptions, openArchive, readSample } from './archive.ts'
import { besideText } from './beside.ts'
import { fit, paint, printable } from './paint.ts'
import { readable } from './readable.ts'

export interface AgentOptions extends GlobalOptions {
  provider?: string
  model?: string
  session?: string
  /** `--no-tools` */
  tools?: boolean
  allow?: string[]
  yes?: boolean
}

/** Does `work` with the agent; its dialogs are in the archive when this ends. */
export async function withAgent<T>(
  options: GlobalOptions,
  work: (agent: Agent, askable: { person?: Person }) => Promise<T>,
): Promise<T> {
  if (options.sample) await readSample()
  const { sources, machine } = readable(options)
  const config = readConfig(archiveFolder({}))
  const archive = openArchive(options)
  const askable: { person?: Person } = {}
  const agent = createAgent({
    askable,
    archive,
    sources,
    machine,
    folder: archiveFolder(options),
    config: () => readConfig(archiveFolder({})),
    keysFolder: archiveFolder({}),
    env: process.env,
    cwd: process.cwd(),
  })
  try {
    return await work(agent, askable)
  } finally {
    await agent.close()
    if (config.sources[AGENT_SOURCE] !== false) await syncRuns(archive, machine)
    await archive.close()
  }
}

/** Asks the person at the terminal for one of these letters; nothing where there is none. */
export type AskPerson = ((question: string, answers: string) => Promise<string>) | undefined

export interface Turn {
  options: AgentOptions
  askPerson: AskPerson
  signal: AbortSignal
  /** Shows what happens; without it the answer goes to standard output, all else beside it. */
  show?: (event: AgentEvent) => void
  /** Says a line of ours; without it, to standard error. */
  say?: (text: string) => void
}

/** One message and its answer, with every approval that it takes on the way. */
export async function turn(agent: Agent, request: RunRequest, at: Turn): Promise<RunResult> {
  const show = at.show ?? (at.options.json ? () => {} : shower())
  return await finished(agent, await agent.run(request, show, at.signal), show, at)
}

/** The same for a dialog that was left while it waited for an approval. */
export async function resumedTurn(agent: Agent, sessionId: string, at: Turn): Promise<RunResult> {
  const show = at.show ?? shower()
  const waiting = (await agent.approvals()).filter((approval) => approval.sessionId === sessionId)
  return await finished(agent, { sessionId, status: 'paused', approvals: waiting }, show, at)
}

type Paused = Pick<RunResult, 'sessionId' | 'approvals'> & { status: 'paused' }

async function finished(
  agent: Agent,
  begun: RunResult | Paused,
  show: (event: AgentEvent) => void,
  { options, askPerson, signal, say = (text) => void process.stderr.write(`${text}\n`) }: Turn,
): Promise<RunResult> {
  let result = begun
  while (!isWhole(result)) {
    for (const approval of result.approvals) {
      if (approval.decision === undefined)
        await agent.decide(approval.id, await decisionOn(approval, options, { askPerson, say }))
    }
    result = await agent.resume(result.sessionId, show, signal)
  }
  return result
}

function isWhole(result: RunResult | Paused): result is RunResult {
  return result.status === 'done'
}

async function decisionOn(
  { tool, server, args }: Approval,
  { yes, allow = [] }: AgentOptions,
  { askPerson, say }: { askPerson: AskPerson; say: (text: string) => void },
): Promise<Decision> {
  const names = [`${server}/${tool}`, `${server}__${tool}`, tool, server]
  if (yes || allow.some((pattern) => names.some((name) => matches(name, pattern))))
    return { decision: 'allow', remember: 'once' }
  const { bold, dim, yellow } = paint(process.stderr)
  if (!askPerson) {
    say(
      `${yellow('not allowed:')} ${server}/${tool}. To allow it, add --allow ${server}/${tool}, or --yes for all.`,
    )
    return { decision: 'deny', reason: 'nobody is at the terminal to allow it.' }
  }
  say(`\n${bold(`Run ${server}/${tool}?`)}\n${dim(printable(indented(args)))}`)
  for (;;) {
    const letters = Object.keys(ANSWERS).join('')
    const said = await askPerson(
      `[y]es  this [d]ialog  always this [t]ool  always this [s]erver  [n]o › `,
      letters,
    )
    const decision = ANSWERS[said.trim().toLowerCase().slice(0, 1)]
    if (decision) return decision
  }
}

const ANSWERS: Record<string, Decision> = {
  y: { decision: 'allow', remember: 'once' },
  d: { decision: 'allow', remember: 'session' },
  t: { decision: 'allow', remember: 'tool' },
  s: { decision: 'allow', remember: 'server' },
  n: { decision: 'deny', reason: 'the person did not allow it.' },
}

function indented(args: unknown): string {
  return JSON.stringify(args, null, 2)
    .split('\n')
    .slice(0, 40)
    .map((line) => `  ${fit(line, 160)}`)
    .join('\n')
}

/** The answer goes to standard output, all else beside it. */
function shower(): (event: AgentEvent) => void {
  let midLine = false
  return (event) => {
    if (event.type === 'text') {
      const text = printable(event.text)
      process.stdout.write(text)
      midLine = !text.endsWith('\n')
    } else if (event.type === 'step') {
      if (midLine) process.stdout.write('\n')
      midLine = false
    }
    const beside = besideText(event)
    if (!beside) return
    if (midLine && process.stdout.isTTY) process.stdout.write('\n')
    midLine = midLine && !process.stdout.isTTY
    process.stderr.write(`${beside}\n`)
  }
}
