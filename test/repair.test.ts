import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { machine, root } from './run-cli.ts'

const { home, archive, run, remove } = machine()
const file = path.join(archive, 'archive.db')
const PAGE = 16_384
const cli = async (...args: string[]) => await run(args)

before(async () => {
  fs.cpSync(path.join(root, 'sample', '.claude'), path.join(home, '.claude'), { recursive: true })
  await cli('sync')
})
after(remove)

/** Overwrites the beginning of every third page, and of one with messages' texts, wherever they are. */
function damage(): void {
  const db = new DatabaseSync(file, { readOnly: true })
  const text = db
    .prepare("SELECT pageno FROM dbstat WHERE name = 'block' AND pagetype = 'leaf' LIMIT 1")
    .get()
  db.close()
  const bytes = fs.readFileSync(file)
  const overwrite = (page: number) => bytes.fill(0x5a, page * PAGE, page * PAGE + 400)
  for (let page = 3; page * PAGE < bytes.length; page += 3) overwrite(page)
  overwrite(Number(text?.pageno) - 1)
  fs.writeFileSync(file, bytes)
}

test('a damaged archive is repaired from what is readable and the assistants’ files, and is kept aside', async () => {
  const sound = await cli('repair')
  assert.match(sound.out, /nothing to repair/)
  const before = JSON.parse((await cli('list', '--json', '--limit', '100')).out)

  damage()
  const refused = await cli('status')
  assert.notEqual(refused.code, 0)
  assert.match(refused.err, /recollect repair/)

  const examined = await cli('doctor', '--deep')
  assert.deepEqual([examined.code, examined.err], [3, ''])
  assert.match(examined.out, /^✗ The archive .*is damaged.*\n {2}`recollect repair` saves all/)
  assert.equal(JSON.parse((await cli('doctor', '--json')).out).healthy, false)

  const damagedBytes = fs.readFileSync(file)
  const plan = JSON.parse((await cli('repair', '--dry-run', '--json')).out)
  assert.equal(plan.dryRun, true)
  assert.deepEqual(fs.readFileSync(file), damagedBytes)
  assert.deepEqual(
    fs.readdirSync(archive).filter((name) => !name.startsWith('archive.db')),
    [],
  )

  const repaired = JSON.parse((await cli('repair', '--json')).out)
  assert.equal(repaired.damaged, true)
  for (const chat of repaired.chats) assert.deepEqual([chat.missing, chat.unnamed], [[], 0], chat.id)
  assert.deepEqual(fs.readFileSync(repaired.setAside), damagedBytes)
  assert.deepEqual(JSON.parse((await cli('list', '--json', '--limit', '100')).out), before)
  assert.equal((await cli('doctor', '--deep')).code, 0)
})

test('what exists nowhere else comes from the backup, and what it does not have is told chat by chat', async () => {
  const before = JSON.parse((await cli('list', '--json', '--limit', '100')).out)
  await cli('backup')
  fs.rmSync(path.join(home, '.claude'), { recursive: true })
  damage()
  const repaired = await cli('repair')
  assert.match(repaired.out, /Nothing is lost/)
  assert.deepEqual(JSON.parse((await cli('list', '--json', '--limit', '100')).out), before)

  fs.rmSync(path.join(archive, 'backups'), { recursive: true })
  damage()
  const lost = await cli('repair')
  assert.match(lost.out, /incomplete/)
  assert.match(
    lost.out,
    /claude-code:\S+ .*\n {4}\d+ (?:of \d+ messages could not be saved|messages without what tools)/,
  )
  assert.equal((await cli('doctor', '--deep')).code, 0)
})

test('of an archive that was cut off, nobody is told that nothing is lost', async () => {
  const whole = fs.readFileSync(file)
  const cases: [bytes: Buffer, said: RegExp][] = [
    [whole.subarray(0, PAGE), /^! The archive ends after 16 kB of .* cannot be named\.$/m],
    [whole.subarray(0, whole.length / 2), /^! The archive ends after .* cannot be named\.$/m],
    [whole.subarray(0, 20), /^! Nothing of the archive could be read: what it held cannot be said\.$/m],
    [Buffer.alloc(PAGE, 0x5a), /^! Nothing of the archive could be read/m],
  ]
  for (const [bytes, said] of cases) {
    fs.writeFileSync(file, bytes)
    for (const args of [['repair', '--dry-run'], ['repair']]) {
      const { out } = await cli(...args)
      assert.match(out, said)
      assert.doesNotMatch(out, /Nothing (?:is|would be) lost/)
    }
  }
})
