import readline from 'node:readline/promises'
import { workspaceFolder } from '../../context/place.ts'
import { RecollectError } from '../../model/errors.ts'
import { type Machine, thisMachine } from '../../platform/machine.ts'
import { packageRoot } from '../../platform/package-root.ts'
import { setsNamed } from '../../service/sets.ts'
import { archiveFolder } from '../archive.ts'
import { EXIT } from '../errors.ts'
import { tilde } from '../format.ts'
import { paint } from '../paint.ts'
import { whatIsWrongWith } from '../setup/answers.ts'
import { clientsNamed, isHere, projectTarget, serverName, userTargets } from '../setup/choose.ts'
import { placeOf } from '../setup/client-file.ts'
import { type Client, clients } from '../setup/clients.ts'
import { newEntry, type Shape, withKeptArguments } from '../setup/entry.ts'
import type { Outcome, SetupOptions } from '../setup/outcome.ts'
import { carryOut, planRemoval, planSetup, type Target } from '../setup/plan.ts'
import { SetupRecords } from '../setup/record.ts'
import { localServer, portableServer, remoteServer, type Server } from '../setup/server.ts'
import {
  colouredDiff,
  howToWrite,
  isOpen,
  listClients,
  nextSteps,
  summary,
  title,
  versionNote,
} from '../setup/show.ts'
import { unguarded } from '../terminal.ts'

/** Answers a question; there may be nobody to do so. */
type Person = (question: string) => Promise<string>

/** Adds Recollect to the settings of agents, or takes it out, after showing what will change. */
export async function setup(
  names: string[],
  options: SetupOptions,
  person: Person | undefined = personAtTerminal(),
): Promise<void> {
  const machine = thisMachine()
  const name = serverName(options.name ?? 'recollect')
  const server = serverFor(machine, options)
  const chosen =
    names.length > 0 ? clientsNamed(names) : clients.filter((each) => isMeant(each, machine, options))
  const targets = chosen.flatMap((client) => targetsOf(client, machine, name, options))
  if (options.print) return printSnippets(targets, server, options)

  const records = new SetupRecords(archiveFolder({}))
  const all = targets.map((target) => planned(target, server, options, records))
  const asked = options.json || options.yes || options.dryRun ? undefined : person
  const mayWrite = Boolean(options.yes || asked) && !options.dryRun
  if (!options.json && names.length === 0) listClients(all, options)
  const wanted = names.length > 0 || options.json ? all : await whichOf(all, asked)
  for (const [index, outcome] of wanted.entries()) {
    if (!options.json && (index > 0 || names.length === 0)) console.log()
    await settle(outcome, { server, options, asked, mayWrite, records })
  }
  const changes = wanted.some(({ plan }) => plan && plan.action !== 'none')
  const note = !options.remove && changes && versionNote(server)
  if (note && !options.json) console.log(`\n${paint(process.stdout).yellow('note:')} ${note}`)
  if (options.json) console.log(JSON.stringify(summary(wanted, options.remove ? undefined : server)))
  else if (!mayWrite && changes)
    console.log(`\nNothing was written. To do so: ${howToWrite(wanted, names, options)}`)
  const isWrong = mayWrite && !options.json && (await isSilent(wanted, server, machine, options))
  if (isWrong || wanted.some(({ error }) => error)) process.exitCode = EXIT.failed
}

function serverFor(machine: Machine, options: SetupOptions): Server {
  if (options.tools !== undefined) setsNamed(options.tools)
  if (options.http !== undefined) return remoteServer(options.http, options.token !== false)
  const args = options.sample ? ['--sample', 'mcp'] : ['mcp']
  if (options.project || options.remove) return portableServer(args)
  const running = { node: process.execPath, script: process.argv[1] ?? '', root: packageRoot() }
  return localServer(machine, running, args)
}

/** Without names: the clients that are here and that can be told such a thing. */
function isMeant(client: Client, machine: Machine, { project, http }: SetupOptions): boolean {
  if (project && !client.project) return false
  const reaches = http === undefined || client.shape(remoteServer(http, false), 'any') !== undefined
  return reaches && isHere(client, machine)
}

function targetsOf(client: Client, machine: Machine, name: string, { project }: SetupOptions): Target[] {
  if (!project) return userTargets(client, machine, name)
  return [projectTarget(client, workspaceFolder({ env: machine.env }), name)]
}

function shapeOf({ client, name }: Target, server: Server): Shape {
  const shape = client.shape(server, name)
  if (shape) return shape
  if (client.addsHttp && server.transport === 'http')
    throw new RecollectError(
      'INVALID_ARGUMENT',
      `${client.name} is told of servers over HTTP by a command of its own.`,
      `Run \`${client.addsHttp} ${name} ${server.url}${server.token ? ' --header "Authorization: Bearer <token>"' : ''}\`, or leave out --http for it.`,
    )
  throw new RecollectError(
    'INVALID_ARGUMENT',
    `${client.name} reaches no server over HTTP.`,
    'Leave out --http for it.',
  )
}

function planned(target: Target, server: Server, options: SetupOptions, records: SetupRecords): Outcome {
  try {
    const plan = options.remove
      ? planRemoval(target, records)
      : planSetup(target, (entry) => shapeOf(target, withKeptArguments(server, entry, options.tools)))
    return { target, plan }
  } catch (error) {
    return { target, error: asError(error) }
  }
}

function asError(error: unknown): RecollectError {
  if (error instanceof RecollectError) return error
  return new RecollectError('UNEXPECTED', error instanceof Error ? error.message : String(error))
}

/** All that have something to do, unless the person names some by their numbers. */
async function whichOf(all: Outcome[], person: Person | undefined): Promise<Outcome[]> {
  const open = all.filter(isOpen)
  if (open.length === 0 && all.length > 0) console.log('There is nothing to do.')
  while (person && open.length > 0) {
    const answer = (await person('Which? Numbers, or Enter for all that need it, or n for none: ')).trim()
    if (answer === '' || /^a(ll)?$/i.test(answer)) break
    if (/^(no?(ne)?|q(uit)?)$/i.test(answer)) return []
    const numbers = answer.split(/[\s,]+/).map(Number)
    if (numbers.every((each) => all[each - 1])) return numbers.map((each) => all[each - 1]!)
    console.log(`There are the numbers 1 to ${all.length}.`)
  }
  return open
}

interface Settling {
  server: Server
  options: SetupOptions
  asked: Person | undefined
  mayWrite: boolean
  records: SetupRecords
}

/** Shows what will change, asks, and does it. */
async function settle(
  outcome: Outcome,
  { server, options, asked, mayWrite, records }: Settling,
): Promise<void> {
  const { target, plan } = outcome
  const say = (...lines: string[]) => {
    if (!options.json) console.log(lines.join('\n'))
  }
  const { bold, dim, green } = paint(process.stdout)
  say(`${bold(title(target))} ${dim(tilde(target.file))}`)
  if (!plan) return say(...errorLines(outcome, server, options))
  if (plan.action === 'none') {
    say(options.remove ? 'Not set up: there is nothing to remove.' : 'Already set up.')
    return
  }
  say(colouredDiff(plan))
  if (!mayWrite) return
  if (asked && !/^y(es)?$/i.test((await asked('Write this? [y/N] ')).trim())) {
    say('Left as it was.')
    return
  }
  try {
    Object.assign(outcome, await carryOut(plan, records), { written: true })
    say(green(plan.after === undefined ? 'Removed the file, which setup had made.' : 'Written.'))
    if (outcome.backup) say(dim(`As it was before: ${tilde(outcome.backup)}`))
    if (!options.remove) say(...nextSteps(target, server))
  } catch (error) {
    outcome.error = asError(error)
    say(...errorLines(outcome, server, options))
  }
}

function errorLines({ target, error }: Outcome, server: Server, options: SetupOptions): string[] {
  const { red, dim } = paint(process.stdout)
  const lines = [`${red('error:')} ${error?.message}`, error?.hint ?? []].flat()
  const helpsByHand = ['MALFORMED_FILE', 'UNSUITED_FILE', 'READ_ERROR', 'WRITE_ERROR'].includes(
    error?.code ?? '',
  )
  if (options.remove || !helpsByHand) return lines
  return [...lines, dim('By hand, this belongs into it:'), snippet(target, server, options)]
}

/** A server that does not answer here will not answer there either. */
async function isSilent(
  outcomes: Outcome[],
  server: Server,
  machine: Machine,
  { remove, project }: SetupOptions,
): Promise<boolean> {
  if (remove || server.transport !== 'stdio' || !outcomes.some(({ written }) => written)) return false
  const { green, yellow } = paint(process.stdout)
  const wrong = await whatIsWrongWith(server, machine, project ? machine.env.PATH : '/usr/bin:/bin')
  const tried = '\nThe server was started as a client will start it,'
  console.log(wrong ? yellow(`${tried} but does not answer: ${wrong}`) : green(`${tried} and answers.`))
  return wrong !== undefined
}

function printSnippets(targets: Target[], server: Server, options: SetupOptions): void {
  const { dim } = paint(process.stderr)
  const snippets = Map.groupBy(targets, ({ client }) => client)
    .values()
    .map(([target]) => ({ target: target!, text: snippet(target!, server, options) }))
    .toArray()
  if (options.json) {
    const shown = snippets.map(({ target, text }) => ({ client: target.client.id, file: target.file, text }))
    console.log(JSON.stringify({ snippets: shown }))
    return
  }
  for (const { target, text } of snippets) {
    process.stderr.write(dim(`${title(target)}, ${tilde(target.file)}:\n`))
    console.log(text)
  }
}

function snippet(target: Target, server: Server, { tools }: SetupOptions): string {
  const { client, name } = target
  const entry = newEntry(shapeOf(target, withKeptArguments(server, undefined, tools)))
  return client.format.put('', placeOf(client, name), entry).trimEnd()
}

function personAtTerminal(): Person | undefined {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined
  return async (question) => {
    const line = readline.createInterface({ input: process.stdin, output: unguarded(process.stdout) })
    try {
      return await new Promise((resolve, reject) => {
        // Ctrl-D ends the line without an answer; Ctrl-C ends it all.
        line.once('close', () => resolve('n'))
        line.once('SIGINT', () => reject(new DOMException('Interrupted', 'AbortError')))
        line.question(question).then(resolve, reject)
      })
    } finally {
      line.close()
    }
  }
}
