import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { redact } from '../redact.ts'
import { KeptKeys } from './kept-keys.ts'
import { type Keychain, sealing, systemKeychain } from './keychain.ts'

const KEY = 'sk-ant-kept7Q2mXw9LtB4vNcE8sY1jHf6UaZ3dPg'
const isWindows = process.platform === 'win32'

function folder(): string {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-keys-'))
  after(() => fs.rmSync(made, { recursive: true, force: true }))
  return made
}

/** A program on a PATH of its own that keeps what it is given in a file, and writes down its arguments. */
function programAt(place: string, name: string, script: string): NodeJS.ProcessEnv {
  const bin = path.join(place, 'bin')
  fs.mkdirSync(bin, { recursive: true })
  const head = `#!/bin/sh\nSTORE='${place}/store'\necho "$@" >> '${place}/arguments'\n`
  fs.writeFileSync(path.join(bin, name), head + script, { mode: 0o755 })
  return { PATH: `${bin}:${process.env.PATH}`, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' }
}

const SECRET_TOOL = `case "$1" in
  store) cat > "$STORE" ;;
  lookup) cat "$STORE" 2>/dev/null || exit 1 ;;
  clear) rm -f "$STORE" ;;
esac
`
/** Its commands come by standard input; \`-X\` is the value in hexadecimal. */
const SECURITY = `case "$1" in
  -i) read -r line; for word in $line; do last=$word; done; node -e 'process.stdout.write(Buffer.from(process.argv[1], "hex"))' "$last" > "$STORE" ;;
  find-generic-password) cat "$STORE" 2>/dev/null || exit 44 ;;
  delete-generic-password) rm -f "$STORE" ;;
esac
`

for (const [platform, name, script] of [
  ['linux', 'secret-tool', SECRET_TOOL],
  ['darwin', 'security', SECURITY],
] as const) {
  test(`a key goes into the keychain by ${name}, never by its arguments`, { skip: isWindows }, async () => {
    const place = folder()
    const env = programAt(place, name, script)
    const keys = () => new KeptKeys(path.join(place, 'archive'), systemKeychain({ platform, env }))
    assert.equal(await keys().keep('anthropic', ` ${KEY}\n`), 'keychain')
    assert.equal(await keys().key('anthropic'), KEY)
    const file = path.join(place, 'archive', 'keys.json')
    assert.ok(!fs.readFileSync(file, 'utf8').includes(KEY))
    assert.equal(fs.statSync(file).mode & 0o777, 0o600)
    const given = fs.readFileSync(path.join(place, 'arguments'), 'utf8')
    assert.ok(given.includes('anthropic-') || platform === 'darwin')
    assert.ok(!given.includes(KEY) && !given.includes(Buffer.from(KEY).toString('hex')))
    assert.equal(await keys().remove('anthropic'), true)
    assert.equal(fs.existsSync(path.join(place, 'store')), false)
    assert.equal(await keys().key('anthropic'), undefined)
  })
}

test('what Windows sealed is kept beside, and only that', async () => {
  const place = folder()
  const keychain = sealing(async (script, input) => {
    assert.ok(!script.includes(input))
    const out = script.includes('::Protect(')
      ? Buffer.from(`sealed ${input}`).toString('base64')
      : Buffer.from(input, 'base64').toString('utf8').replace('sealed ', '')
    return { code: 0, out: `${out}\r\n`, err: '' }
  })
  const keys = new KeptKeys(place, keychain ?? null)
  assert.equal(await keys.keep('openai', KEY), 'keychain')
  assert.equal(await new KeptKeys(place, keychain ?? null).key('openai'), KEY)
  assert.ok(!fs.readFileSync(path.join(place, 'keys.json'), 'utf8').includes(KEY))
})

test('without a keychain, or with one that fails, the key is in a file for its owner alone', async () => {
  const broken: Keychain = {
    name: 'a broken one',
    keep: async () => ({}),
    read: async () => undefined,
    remove: async () => {},
  }
  for (const keychain of [
    broken,
    systemKeychain({ platform: 'linux', env: { RECOLLECT_KEYCHAIN: 'off' } }),
  ]) {
    const place = folder()
    const keys = new KeptKeys(place, keychain ?? null)
    assert.equal(await keys.keep('openai', KEY), 'file')
    assert.equal(await new KeptKeys(place, keychain ?? null).key('openai'), KEY)
    if (!isWindows) assert.equal(fs.statSync(path.join(place, 'keys.json')).mode & 0o777, 0o600)
  }
})

test('a key that changes in another process is the one that counts; it is masked wherever it occurs', async () => {
  const place = folder()
  const here = new KeptKeys(place, null)
  await here.keep('openai', 'first-key-1234')
  assert.equal(await here.key('openai'), 'first-key-1234')
  await new KeptKeys(place, null).keep('openai', 'zQ7kept2key9/none+knows')
  assert.equal(await here.key('openai'), 'zQ7kept2key9/none+knows')
  assert.ok(!redact('the provider said zQ7kept2key9/none+knows is wrong').includes('kept2key9'))
})

test('what cannot be a key is refused, and a broken file is said to be so', async () => {
  const place = folder()
  const keys = new KeptKeys(place, null)
  for (const wrong of ['', 'two words', 'umläut-key', 'x'.repeat(5_000)])
    await assert.rejects(keys.keep('openai', wrong), { code: 'INVALID_KEY' })
  assert.equal(fs.existsSync(path.join(place, 'keys.json')), false)
  fs.writeFileSync(path.join(place, 'keys.json'), '{"keys":')
  assert.throws(() => keys.kept(), { code: 'INVALID_CONFIG' })
})
