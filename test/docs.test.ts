import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { machine, recollect, root, runCommand } from './run-cli.ts'

/**
 * Every command shown in the docs is run, and prints what the docs say. A page is a session: its
 * `console` blocks run one after the other on one made-up machine whose home holds the sample
 * chats. `…` in a shown output stands for anything. UPDATE_DOCS=1 writes the real output in.
 */
const pages = ['README.md', ...fs.globSync('docs/**/*.md', { cwd: root })].map((page) =>
  page.replaceAll('\\', '/'),
)

for (const page of pages) {
  const text = fs.readFileSync(path.join(root, page), 'utf8')
  if (!text.includes('```console\n')) continue
  // Shown as in a shell of Linux and macOS, with their paths.
  const skip = process.platform === 'win32'
  test(`${page}: commands do what is shown`, { skip }, async () => {
    const user = machine()
    after(user.remove)
    fs.cpSync(path.join(root, 'sample'), user.home, { recursive: true })
    const bin = path.join(user.home, '..', 'bin')
    fs.mkdirSync(bin)
    fs.symlinkSync(recollect, path.join(bin, 'recollect'))
    const env = {
      PATH: `${bin}${path.delimiter}${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
      HOME: user.home,
      RECOLLECT_HOME: user.archive,
      TZ: 'UTC',
    }
    let updated = text
    for (const [block, body = ''] of text.matchAll(/^```console\n([\s\S]*?)^```$/gm)) {
      let shown = ''
      for (const { command, output } of commandsIn(body)) {
        const { out, err } = await runCommand('sh', ['-c', command], env, '', user.home)
        // A home behind a link has two names.
        const real = (out + err).replaceAll(fs.realpathSync(user.home), '~').replaceAll(user.home, '~')
        if (!process.env.UPDATE_DOCS) assert.match(real.trimEnd(), pattern(output), `$ ${command}\n${real}`)
        shown += `$ ${command}\n${pattern(output).test(real.trimEnd()) ? output : real.replace(/\n*$/, '\n')}`
      }
      updated = updated.replace(block, () => `\`\`\`console\n${shown}\`\`\``)
    }
    if (process.env.UPDATE_DOCS) fs.writeFileSync(path.join(root, page), updated)
  })
}

test('every script that the docs name is there', () => {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
  for (const page of ['CONTRIBUTING.md', 'ARCHITECTURE.md', ...pages]) {
    const text = fs.readFileSync(path.join(root, page), 'utf8')
    for (const [, name = ''] of text.matchAll(/npm run ([a-z:]+)/g))
      assert.ok(scripts[name], `${page}: npm run ${name}`)
  }
})

test('every file that the docs link to is there', () => {
  for (const page of ['CONTRIBUTING.md', 'ARCHITECTURE.md', 'CHANGELOG.md', ...pages]) {
    const text = fs.readFileSync(path.join(root, page), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)) {
      assert.ok(fs.existsSync(path.join(root, path.dirname(page), target)), `${page}: ${target}`)
    }
  }
})

test('the figures at the top of README are measured ones', () => {
  const measured: Record<string, RegExp> = {
    '20 ms': /^\| search over MCP, asked for the first time, .*\| 20\.0 \/ 34\.7, 19\.3 \/ 31\.1 \|/m,
    '0.1 s': /^\| a chat written a second after a server started .*\| 122 and 127 \(at most 146\)/m,
    '0.6×': /^\| archive \/ source \|.* 0\.582 \|/m,
  }
  const line = /^.*\[measured\]\(docs\/benchmarks\.md\)$/m.exec(
    fs.readFileSync(path.join(root, 'README.md'), 'utf8'),
  )
  const shown = [...(line?.[0] ?? '').matchAll(/\*\*([^*]+)\*\*/g)].map(([, figure]) => figure)
  assert.deepEqual(shown, Object.keys(measured))
  const benchmarks = fs.readFileSync(path.join(root, 'docs', 'benchmarks.md'), 'utf8')
  for (const [figure, where] of Object.entries(measured)) assert.match(benchmarks, where, figure)
})

test('docs/commands.md is what the commands say of themselves', async () => {
  const { code, err } = await runCommand(
    process.execPath,
    [path.join(root, 'scripts', 'command-docs.ts'), '--check'],
    {},
  )
  assert.equal(code, 0, err)
})

test('the page lists every page of the docs', () => {
  const index = fs.readFileSync(path.join(root, 'docs', 'README.md'), 'utf8')
  for (const page of fs.globSync('*.md', { cwd: path.join(root, 'docs') }))
    if (page !== 'README.md') assert.ok(index.includes(`](${page}`), page)
})

test('docs/troubleshooting.md knows every code of an error', () => {
  const text = fs.readFileSync(path.join(root, 'docs', 'troubleshooting.md'), 'utf8')
  for (const file of fs.globSync('src/**/*.ts', { cwd: root })) {
    const code = fs.readFileSync(path.join(root, file), 'utf8')
    for (const [, name] of code.matchAll(/new RecollectError\(\s*'([A-Z_]+)'/g))
      assert.ok(text.includes(`\`${name}\``), `${name} (${file})`)
  }
})

test('ARCHITECTURE.md names the rooms that there are', () => {
  const text = fs.readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8')
  for (const room of fs.readdirSync(path.join(root, 'src')))
    assert.match(text, new RegExp(`^  ${room}/`, 'm'), room)
})

function commandsIn(body: string): { command: string; output: string }[] {
  const commands: { command: string; output: string }[] = []
  for (const line of body.split('\n').slice(0, -1)) {
    if (line.startsWith('$ ')) commands.push({ command: line.slice(2), output: '' })
    else commands.at(-1)!.output += `${line}\n`
  }
  return commands
}

function pattern(output: string): RegExp {
  const literal = output
    .trimEnd()
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${literal.join('[\\s\\S]*?')}$`)
}
