/**
 * docs/commands.md from the help of every command: `node scripts/command-docs.ts [--check]`. With
 * `--check` it writes nothing, and fails where the page is not up to date.
 */
import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { program } from '../src/cli/program.ts'

const root = path.join(import.meta.dirname, '..')
const page = path.join(root, 'docs', 'commands.md')

const written = fs.existsSync(page) ? fs.readFileSync(page, 'utf8') : ''
const made = reference()
if (!process.argv.includes('--check')) fs.writeFileSync(page, made)
else if (written !== made) {
  console.error('docs/commands.md is not up to date: run `node scripts/command-docs.ts`.')
  process.exitCode = 1
}

function reference(): string {
  const cli = program()
  const list = cli.commands.map((each) => `[${each.name()}](#${each.name()})`).join(' · ')
  return [
    '# Commands',
    '',
    'What `recollect help <command>` prints, made from the code by `node scripts/command-docs.ts`. Exit codes are in',
    '[terminal.md](terminal.md#exit-codes).',
    '',
    list,
    ...cli.commands.map(section),
    '',
  ].join('\n')
}

function section(command: Command): string {
  const inner = command.commands.map(help)
  return ['', `## ${command.name()}`, '', '```text', [help(command), ...inner].join('\n\n'), '```'].join('\n')
}

/** What `--help` prints of it, on a screen of 80 columns. */
function help(command: Command): string {
  let text = ''
  command
    .configureOutput({
      writeOut: (more) => {
        text += more
      },
      getOutHelpWidth: () => 80,
      getOutHasColors: () => false,
    })
    .outputHelp()
  return text.trimEnd()
}
