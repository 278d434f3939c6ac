/**
 * Writes the lists of assistants and of tools into the README and the docs, from the lists in the code.
 * `--check` only says whether they are up to date.
 */
import fs from 'node:fs'
import path from 'node:path'
import { capabilities } from '../src/capabilities/index.ts'
import { imports } from '../src/sources/imports/index.ts'
import { sources } from '../src/sources/index.ts'
import { AGENT_SOURCE } from '../src/sources/recollect-agent/place.ts'
import { EVIDENCE } from '../src/sources/source.ts'

const root = path.join(import.meta.dirname, '..')
const assistants = sources.filter(({ id }) => id !== AGENT_SOURCE)
const seen = assistants.filter(({ evidence }) => evidence === 'seen')
const others = assistants.filter(({ evidence }) => evidence !== 'seen')
const exportKinds = new Set(imports.map(({ id }) => id)).size

const names = (list: typeof assistants) => list.map(({ name }) => name).join(', ')

const LISTS: Record<string, Record<string, string>> = {
  'README.md': {
    'number of assistants': `${assistants.length}`,
    assistants: wrapped(
      `${names(seen)}. Read as they are described, without a file of theirs having been seen: ${names(others)}.`,
    ),
  },
  'docs/compared.md': {
    'number of assistants': `${assistants.length}, and ${exportKinds} kinds of exports`,
  },
  'docs/mcp.md': {
    tools: [
      '| tool | set | what it gives |',
      '| --- | --- | --- |',
      ...capabilities.map(
        ({ name, set, description }) => `| \`${name}\` | ${set} | ${description.replaceAll('|', '\\|')} |`,
      ),
    ].join('\n'),
  },
  'docs/sources/README.md': {
    assistants: [
      '| assistant | id | its format |',
      '| --- | --- | --- |',
      ...sources.map(
        ({ id, name, page = id, evidence }) =>
          `| [${name}](${page}.md) | \`${id}\` | ${EVIDENCE[evidence]} |`,
      ),
    ].join('\n'),
  },
}

/** On the page of each, below its title, what its format is known from. */
for (const [page, all] of Map.groupBy(sources, ({ id, page = id }) => page)) {
  const sentence = ({ name, evidence }: (typeof sources)[number]) =>
    all.length > 1 ? `${name}: ${EVIDENCE[evidence]}.` : `${capital(EVIDENCE[evidence])}.`
  LISTS[`docs/sources/${page}.md`] = { evidence: all.map(sentence).join(' ') }
}

const isCheck = process.argv.includes('--check')
let stale = 0
for (const [file, lists] of Object.entries(LISTS)) {
  const before = fs.readFileSync(path.join(root, file), 'utf8')
  let after = before
  if ('evidence' in lists && !before.includes('<!-- evidence -->'))
    after = before.replace(/^(# .*\n)/, '$1\n<!-- evidence --><!-- end -->\n')
  for (const [name, text] of Object.entries(lists)) {
    const between = new RegExp(`(<!-- ${name} -->)([\\s\\S]*?)(<!-- end -->)`)
    if (!between.test(after)) throw new Error(`${file} has no place for the list "${name}"`)
    after = after.replace(between, (_, start, inside, end) => {
      const isBlock = inside.startsWith('\n')
      return isBlock ? `${start}\n${text}\n${end}` : `${start}${text}${end}`
    })
  }
  if (after === before) continue
  stale++
  if (isCheck)
    console.error(`${file} does not list what src/sources/index.ts and src/capabilities/index.ts do`)
  else fs.writeFileSync(path.join(root, file), after)
}
if (isCheck && stale > 0) {
  console.error('Run `node scripts/source-lists.ts`.')
  process.exit(1)
}
console.log(`${assistants.length} assistants${stale > 0 ? ', written' : ', up to date'}`)

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function wrapped(text: string): string {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!
    if (line && line.length + word.length > 100) lines.push(word)
    else lines[lines.length - 1] = line ? `${line} ${word}` : word
  }
  return lines.join('\n')
}
