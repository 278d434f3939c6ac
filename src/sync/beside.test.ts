import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openSqliteArchive } from '../archive/sqlite/index.ts'
import { sources } from '../sources/index.ts'
import { fixtureHomes } from '../sources/test-homes.ts'
import { machineAt } from '../sources/test-kit.ts'
import { syncOnce } from './once.ts'

const temp = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-beside-'))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

/** What an archive says of a chat before and after something changes in the home of its assistant. */
async function beforeAndAfter<T>(
  fixture: string,
  look: (archive: ReturnType<typeof openSqliteArchive>) => Promise<T>,
  change: (home: string) => void,
): Promise<[T, T]> {
  const home = fs.mkdtempSync(path.join(temp, 'home-'))
  fixtureHomes.find(({ name }) => name === fixture)!.put(home)
  const archive = openSqliteArchive(fs.mkdtempSync(path.join(temp, 'archive-')))
  try {
    await syncOnce({ archive, sources, machine: machineAt(home) })
    const before = await look(archive)
    change(home)
    await syncOnce({ archive, sources, machine: machineAt(home) })
    return [before, await look(archive)]
  } finally {
    await archive.close()
  }
}

function edit(file: string, to: (text: string) => string): void {
  fs.writeFileSync(file, to(fs.readFileSync(file, 'utf8')))
  const later = new Date(Date.now() + 5000)
  fs.utimesSync(file, later, later)
}

for (const [fixture, chat, file] of [
  [
    'claude-cowork sessions',
    'claude-cowork:c0c0c0c0-0000-4000-8000-000000000001',
    '.config/Claude/local-agent-mode-sessions/acc-1/org-1/local_7a10.json',
  ],
  [
    'claude-code a session of Claude Desktop',
    'claude-code:0b1f6c1e-0000-4000-8000-0000000000b2',
    '.config/Claude/claude-code-sessions/acc-1/org-1/local_51fe.json',
  ],
] as const)
  test(`${fixture}: a new name changes only the file beside the transcript`, async () => {
    const titles = await beforeAndAfter(
      fixture,
      async (archive) => (await archive.resolveChat(chat)).title,
      (home) =>
        edit(path.join(home, file), (text) => text.replace(/"title": "[^"]+"/, '"title": "A new name"')),
    )
    assert.notEqual(titles[0], 'A new name')
    assert.equal(titles[1], 'A new name')
  })

test('Copilot in JetBrains: what a rollback took out of the file is undone', async () => {
  const [before, now] = await beforeAndAfter(
    'copilot-jetbrains jb',
    async (archive) => {
      const messages = await archive.messages(await archive.resolveChat('copilot-jetbrains:c-51'))
      return messages
        .filter(({ kind }) => kind === 'request')
        .map(({ text, undone }) => [text, Boolean(undone)])
    },
    (home) =>
      edit(path.join(home, '.copilot/jb/c-51/partition-2.jsonl'), (text) => `${text.split('\n', 1)[0]}\n`),
  )
  const first = ['Rename the field price to amount', false]
  assert.deepEqual(before, [first, ['Now the tests too', false]])
  assert.deepEqual(now, [first, ['Now the tests too', true]])
})
