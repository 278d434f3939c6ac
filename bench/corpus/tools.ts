import type { Dice } from './dice.ts'
import type { Project } from './project.ts'
import { NOUNS, VERBS } from './words.ts'

/** A tool call in nobody's format yet, with what it gave back. */
export interface ToolUse {
  action: 'read' | 'run' | 'search' | 'edit'
  path: string
  command: string
  /** For an edit: what stood there and what stands there now. */
  before: string
  after: string
  output: string
}

const KEPT_OUTPUTS = 24
const MAX_OUTPUT = 60_000

export function toolUse(dice: Dice, project: Project, medianOutput: number): ToolUse {
  const action = dice.pick(['read', 'read', 'run', 'run', 'run', 'search', 'edit'] as const)
  const path = dice.pick(project.paths)
  const use = { action, path, command: '', before: '', after: '', output: '' }
  if (action === 'edit') {
    use.before = codeLine(dice, project)
    use.after = codeLine(dice, project)
    use.output = `The file ${project.folder}/${path} has been updated successfully.`
    return use
  }
  if (action === 'search') use.command = dice.pick(project.identifiers)
  if (action === 'run') use.command = command(dice, project)
  use.output = output(dice, project, medianOutput)
  return use
}

export function sourceCode(dice: Dice, project: Project, length: number): string {
  return lines(length, () => codeLine(dice, project))
}

/** Files are read again and tests run again: a third of all outputs has been seen before. */
function output(dice: Dice, project: Project, median: number): string {
  const { outputs } = project
  if (outputs.length > 4 && dice.chance(0.33)) return dice.pick(outputs)
  const length = Math.min(MAX_OUTPUT, dice.longTail(median, 1.3))
  const text = dice.pick(OUTPUTS)(dice, project, length)
  if (outputs.length < KEPT_OUTPUTS) outputs.push(text)
  else outputs[dice.int(KEPT_OUTPUTS)] = text
  return text
}

type Maker = (dice: Dice, project: Project, length: number) => string

/** Weighted by repetition. */
const OUTPUTS: Maker[] = [sourceCode, sourceCode, sourceCode, log, log, listing, listing, json, hits, testRun]

function log(dice: Dice, project: Project, length: number): string {
  let time = 1_700_000_000_000 + dice.int(80_000_000) * 1000
  return lines(length, () => {
    time += dice.int(4000)
    const level = dice.pick(['INFO', 'INFO', 'INFO', 'WARN', 'ERROR', 'DEBUG'])
    const detail = dice.pick([
      () => `${dice.pick(project.identifiers)} took ${dice.int(9000)}ms request=${dice.uuid()}`,
      () =>
        `${dice.pick(project.errors)}: ${dice.pick(VERBS)} ${dice.pick(NOUNS)} failed, attempt ${dice.int(5)}`,
      () => `GET /api/${dice.pick(NOUNS)}s/${dice.int(100_000)} 200 ${dice.int(400)}ms`,
      () => `${dice.pick(NOUNS)} ${dice.pick(VERBS)} done count=${dice.int(5000)}`,
    ])()
    return `${new Date(time).toISOString()} ${level} [${project.name}] ${detail}`
  })
}

function listing(dice: Dice, project: Project, length: number): string {
  return lines(
    length,
    () => `-rw-r--r-- 1 alex alex ${String(dice.int(90_000)).padStart(6)} ${dice.pick(project.paths)}`,
  )
}

function json(dice: Dice, _project: Project, length: number): string {
  const noun = dice.pick(NOUNS)
  const items = lines(
    length,
    () =>
      `  {"${noun}_id": ${dice.int(1_000_000)}, "${dice.pick(NOUNS)}": "${dice.hex(12)}", "${dice.pick(NOUNS)}_count": ${dice.int(100)}, "ok": true},`,
  )
  return `[\n${items.slice(0, -1)}\n]`
}

function hits(dice: Dice, project: Project, length: number): string {
  return lines(
    length,
    () => `${dice.pick(project.paths)}:${1 + dice.int(400)}:${codeLine(dice, project).trimStart()}`,
  )
}

function testRun(dice: Dice, project: Project, length: number): string {
  const body = lines(
    length,
    () =>
      `${dice.chance(0.96) ? '✔' : '✖'} ${dice.pick(VERBS)}s the ${dice.pick(NOUNS)} of a ${dice.pick(NOUNS)} (${dice.pick(project.identifiers)}) (${dice.int(900)}.${dice.int(9)}ms)`,
  )
  return `${body}\nℹ tests ${dice.int(300)}\nℹ fail ${dice.int(3)}`
}

function command(dice: Dice, project: Project): string {
  return dice.pick([
    () => 'npm test',
    () => 'git status --short && git diff --stat',
    () => `git log --oneline -n ${5 + dice.int(20)} -- ${dice.pick(project.paths)}`,
    () => `node --test ${dice.pick(project.paths)}`,
    () => `grep -rn "${dice.pick(project.identifiers)}" src | head -n ${10 + dice.int(40)}`,
    () => `ls -la src/${dice.pick(NOUNS)}`,
    () => `curl -s localhost:3000/api/${dice.pick(NOUNS)}s | jq .`,
    () => `tail -n 100 /var/log/${project.name}.log`,
  ])()
}

const CODE: ((dice: Dice, names: string[]) => string)[] = [
  (dice, names) => `  const ${dice.pick(names)} = await ${dice.pick(names)}(${dice.pick(names)})`,
  (dice, names) => `    if (!${dice.pick(names)}) return ${dice.pick(names)}.${dice.pick(VERBS)}()`,
  (dice, names) => `export function ${dice.pick(names)}(${dice.pick(NOUNS)}: ${dice.pick(names)}) {`,
  (dice, names) => `    throw new Error(\`${dice.pick(VERBS)} \${${dice.pick(names)}} failed\`)`,
  (dice, names) => `import { ${dice.pick(names)} } from './${dice.pick(NOUNS)}/${dice.pick(NOUNS)}.ts'`,
  (dice, names) =>
    `  // ${dice.pick(VERBS)} the ${dice.pick(NOUNS)} before the ${dice.pick(NOUNS)}: ${dice.pick(names)}`,
  (dice, names) =>
    `  return { ...${dice.pick(NOUNS)}, ${dice.pick(NOUNS)}: ${dice.pick(names)}, "at": ${dice.int(1000)} }`,
  () => '  }',
  () => '}',
  () => '',
]

function codeLine(dice: Dice, project: Project): string {
  return dice.pick(CODE)(dice, project.identifiers)
}

function lines(length: number, line: () => string): string {
  let text = line()
  while (text.length < length) text += `\n${line()}`
  return text
}
