/**
 * docs/commands.md from the help of every command: `node scripts/command-docs.ts [--check]`. With
 * `--check` it writes nothing, and fails where the page is not up to date.
 */
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const root = path.join(import.meta.dirname, '..')
const page = path.join(root, 'docs', 'commands.md')
const AT_ONCE = 4

const written = fs.existsSync(page) ? fs.readFileSync(page, 'utf8') : ''
const made = await reference()
if (!process.argv.includes('--check')) fs.writeFileSync(page, made)
else if (written !== made) {
  console.error('docs/commands.md is not up to date: run `node scripts/command-docs.ts`.')
  process.exitCode = 1
}

async function reference(): Promise<string> {
  const names = namesIn(await help([]))
  const sections = new Map<string, string>()
  const left = [...names]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let name = left.shift(); name; name = left.shift()) sections.set(name, await section(name))
    }),
  )
  const list = names.map((name) => `[${name}](#${name})`).join(' · ')
  return [
    '# Commands',
    '',
    'What `recollect help <command>` prints, made from the code by `node scripts/command-docs.ts`. Exit codes are in',
    '[terminal.md](terminal.md#exit-codes).',
    '',
    list,
    ...names.map((name) => sections.get(name)!),
    '',
  ].join('\n')
}

async function section(name: string): Promise<string> {
  const text = await help([name])
  const inner =
    name === 'context' || name === 'hub'
      ? await Promise.all(namesIn(text).map((each) => help([name, each])))
      : []
  return ['', `## ${name}`, '', '```text', [text, ...inner].join('\n\n'), '```'].join('\n')
}

async function help(names: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(root, 'src', 'cli', 'main.ts'), ...names, '--help'],
    { env: { ...process.env, COLUMNS: '100', NO_COLOR: '1' } },
  )
  return stdout.trimEnd()
}

/** The names of commands in a help text, but `help` itself. */
function namesIn(text: string): string[] {
  const [list = ''] = text.slice(text.indexOf('\nCommands:\n') + 1).split('\n\n')
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'help')
}
