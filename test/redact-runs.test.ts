import assert from 'node:assert/strict'
import fs from 'node:fs'
import { after, test } from 'node:test'
import { RunLog } from '../src/agent/runs.ts'
import { runFile } from '../src/sources/recollect-agent/place.ts'
import { TOKEN } from './redact-kit.ts'
import { machine } from './run-cli.ts'

test('a dialog with the agent that is under way is left, loses nothing, and is rewritten the next time', async () => {
  const me = machine()
  after(() => me.remove())
  const dialog = RunLog.begin(me.archive, '/work/shop')
  const asks = (id: string, text: string) =>
    dialog.append({ type: 'request', id, text, provider: 'anthropic', model: 'some' })
  asks('first', `the orchard token is ${TOKEN}`)
  await me.run(['sync'])
  const redacted = async () => JSON.parse((await me.run(['redact', '--at-rest', '--yes', '--json'])).out)
  const file = runFile(me.archive, dialog.id)
  assert.deepEqual((await redacted()).rewritten.running, [file])
  asks('second', 'and who waters the orchard?')
  await dialog.flush()
  dialog.close()
  await me.run(['sync'])
  const { out } = await me.run(['requests', dialog.id, '--json'])
  assert.equal(JSON.parse(out).totalRequests, 2, out)
  assert.deepEqual((await redacted()).rewritten.running, [])
  assert.match(fs.readFileSync(file, 'utf8'), /redacted.*\n.*who waters the orchard/)
})
