import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guardSecrets, redact, redactJson, redactJsonIn, Seen } from './redact.ts'
import { hex, mixed } from './redact-kit.ts'

/** What must not leave, and the part of it that is the secret. */
const SECRETS: [text: string, secret: string][] = [
  [`AWS_ACCESS_KEY_ID=AKIA${'Q3E7'.repeat(4)}`, `AKIA${'Q3E7'.repeat(4)}`],
  [`aws_secret_access_key = ${mixed(40)}`, mixed(40)],
  [`/login?next=https%3A%2F%2Fa.example%2Fcb%3Ftoken%3D${mixed(24)}%26state%3D1`, mixed(24)],
  [`client_secret%3d${mixed(32)}&page=2`, mixed(32)],
  [`token ghp_${mixed(36)} in the log`, `ghp_${mixed(36)}`],
  [`github_pat_${mixed(60)}`, mixed(60)],
  [`glpat-${mixed(20)}`, mixed(20)],
  [`sk-${mixed(48)}`, mixed(48)],
  [`OPENAI_API_KEY="sk-proj-${mixed(60)}"`, mixed(60)],
  [`ANTHROPIC_API_KEY: sk-ant-api03-${mixed(90)}`, mixed(90)],
  [`sk-or-v1-${hex(64)}`, hex(64)],
  [`sk_live_${mixed(24)}`, mixed(24)],
  [`whsec_${mixed(32)}`, mixed(32)],
  [`AIza${mixed(35)}`, mixed(35)],
  [`GOCSPX-${mixed(28)}`, mixed(28)],
  [`xoxb-123456789012-${mixed(24)}`, mixed(24)],
  [`https://hooks.slack.com/services/T00000000/B00000000/${mixed(24)}`, mixed(24)],
  [`//registry.example.org/:_authToken=npm_${mixed(36)}`, mixed(36)],
  [`pypi-AgEIcHlwaS5vcmc${mixed(60)}`, mixed(60)],
  [`hf_${mixed(34)}`, mixed(34)],
  [`SG.${mixed(22)}.${mixed(43)}`, mixed(43)],
  [`dop_v1_${hex(64)}`, hex(64)],
  [`123456789:AA${mixed(33)}`, mixed(33)],
  [`curl https://api.telegram.org/bot7123456789:AA${mixed(33)}/getMe`, mixed(33)],
  [`gsk_${mixed(52)}`, mixed(52)],
  [`hvs.${mixed(24)}`, mixed(24)],
  [`AccountKey=${mixed(86)}==;EndpointSuffix=core.windows.net`, mixed(86)],
  [`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${mixed(43)}`, mixed(43)],
  [`-----BEGIN RSA PRIVATE KEY-----\n${mixed(64)}\n-----END RSA PRIVATE KEY-----`, mixed(64)],
  [`-----BEGIN OPENSSH PRIVATE KEY-----\n${mixed(64)}`, mixed(64)],
  [`curl -H "Authorization: Bearer ${mixed(40)}"`, mixed(40)],
  [`Authorization: Basic ${mixed(32)}==`, mixed(32)],
  ['postgres://shop:correct-horse@db.example.org/shop', 'correct-horse'],
  ['redis://:s3cr3tpass@localhost:6379/0', 's3cr3tpass'],
  ['DB_PASSWORD=hunter2hunter2', 'hunter2hunter2'],
  ['password: "correcthorsebattery"', 'correcthorsebattery'],
  [`"client_secret": "${mixed(24)}"`, mixed(24)],
  [`{\\"apiKey\\":\\"${mixed(24)}\\"}`, mixed(24)],
  [`mysql --password=Tr0ub4dor`, 'Tr0ub4dor'],
  [`deploy --token ${mixed(30)}`, mixed(30)],
  [`https://api.example.org/v1?api_key=${mixed(24)}&page=2`, mixed(24)],
  [`SESSION_SECRET='${hex(64)}'`, hex(64)],
  [`refresh_token: ${mixed(40)}`, mixed(40)],
  [`X-Api-Key: ${hex(32)}`, hex(32)],
  [`const token = '${mixed(40)}'`, mixed(40)],
  ['GRAFANA_PASSWORD_ADMIN=Tr0ub4dor-and-3', 'Tr0ub4dor-and-3'],
  ['password: "@dm1n-Pass"', '@dm1n-Pass'],
  ['password=mysecret2024pw', 'mysecret2024pw'],
  [`AWS Secret Access Key [None]: ${mixed(40)}`, mixed(40)],
  [`AWS Secret Access Key [****************xY3z]: ${mixed(40)}`, mixed(40)],
  ['passphrase := "öpen-Sesame-42"', 'Sesame-42'],
]

/** As terminals colour it. */
const COLOURED: [text: string, secret: string][] = [
  ['DB_\x1b[01;31m\x1b[KPASSWORD\x1b[m\x1b[K=tR7kQ9zLm2x\nnext', 'tR7kQ9zLm2x'],
  ['\x1b[36mDB_PASSWORD\x1b[0m=\x1b[32mtR7kQ9zLm2x\x1b[0m', 'tR7kQ9zLm2x'],
  ["{ user: \x1b[32m'bob'\x1b[39m, password: \x1b[32m'tR7kQ9zLm2x'\x1b[39m }", 'tR7kQ9zLm2x'],
  [`token \x1b[1mghp_\x1b[0m${mixed(36)} there`, mixed(36)],
  [`a\x1b[32mghp_${mixed(36)}\x1b[0m`, mixed(36)],
]

/** What must survive as it is. */
const HARMLESS = [
  'commit 3f9a1c7e5b2d80463f9a1c7e5b2d80463f9a1c7e',
  `sha256:${hex(64)}`,
  `integrity="sha512-${mixed(86)}=="`,
  '550e8400-e29b-41d4-a716-446655440000',
  'session id 11d22106-a816-4cce-886d-1987be44d879',
  `data:image/png;base64,${mixed(120)}`,
  `const wasm = atob('${mixed(200)}')`,
  `etag: W/"${hex(32)}"`,
  'max_tokens: 4096, total_tokens = 123456789',
  '"input_tokens": 441116, "cache_read_input_tokens": 346813',
  'const token = await getToken(request)',
  'password: req.body.password,',
  'const password = process.env.DB_PASSWORD',
  'password=$DB_PASSWORD docker compose up',
  `password: \${{ secrets.DB_PASSWORD }}`,
  'interface Login { user: string; password: string; remember?: boolean }',
  'password: z.string().min(8)',
  "<input type=password name='password' placeholder='Password'>",
  'tokenizer: "cl100k_base_with_extras_2024"',
  'secretName: checkout-tls-certificate',
  'The password is required and the token expires in 3600 seconds.',
  'api_key: YOUR_API_KEY',
  'api_key = "<your key here>"',
  'auth: { type: "oauth2-client-credentials" }',
  'author: "somebody-with-a-long-name-2024"',
  'authority = https://login.example.org/tenant1234567890',
  'keyboard: qwertyuiop123456',
  'primary_key=customer_order_id',
  'class="sk-estimator-doc-link-of-a-long-name"',
  'sk-container-id-1 sk-top-container',
  'http://localhost:8080/@scope/package',
  'git@github.com:owner/name.git',
  'https://example.org/a:b/c@d',
  'import { redact } from "./platform/redact.ts"',
  'token_count: 128000, tokenLimit: 200000',
  'passwordHash: bcrypt',
  'Basic authentication and bearer tokens are both supported',
  'cookieParser: middleware-version-1234',
  'width: 100%; /search?token%3Dnone',
  'passwordChangedAt: 2026-05-04T12:00:00Z',
  'UPDATE users SET password_reset_at = now()',
  '| user | password |\n|---|---|\n| bob | (asked for) |',
  '| Field | Token |\n|-------|-------|\n| `--border` | `color-border-2` |\n| `--gap` | 12px |',
  '| Option | Password |\n|--|--|\n| type | string |\n| required | yes |',
]

test('secrets are taken out', () => {
  const missed = SECRETS.filter(([text, secret]) => redact(text).includes(secret)).map(([text]) => text)
  assert.deepEqual(missed, [])
})

test('secrets are taken out of what a terminal coloured, and what is around them stays', () => {
  const missed = COLOURED.filter(([text, secret]) => redact(text).includes(secret)).map(([text]) => text)
  assert.deepEqual(missed, [])
  assert.equal(
    redact('\x1b[36mDB_PASSWORD\x1b[0m=\x1b[32mtR7kQ9zLm2x\x1b[0m \x1b[1mnext\x1b[0m'),
    '\x1b[36mDB_PASSWORD\x1b[0m=\x1b[32m[redacted: password]\x1b[0m \x1b[1mnext\x1b[0m',
  )
  for (const text of HARMLESS) {
    const coloured = `\x1b[32m${text}\x1b[0m`
    assert.equal(redact(coloured), coloured)
  }
})

test('hashes, ids, code and talk about secrets survive', () => {
  const alarms = HARMLESS.filter((text) => redact(text) !== text).map((text) => [text, redact(text)])
  assert.deepEqual(alarms, [])
})

test('what is around a secret stays, and what was redacted is left alone', () => {
  assert.equal(
    redact('connect to postgres://shop:correct-horse@db/shop now'),
    'connect to postgres://shop:[redacted: password]@db/shop now',
  )
  for (const [text] of SECRETS) assert.equal(redact(redact(text)), redact(text))
})

test('in JSON a name beside its value counts too; other names and values are kept', () => {
  const value = {
    user: 'me',
    password: 'correcthorse',
    nested: [{ apiKey: mixed(20), count: 3 }],
    token: null,
  }
  assert.deepEqual(redactJson(value), {
    user: 'me',
    password: '[redacted: secret]',
    nested: [{ apiKey: '[redacted: secret]', count: 3 }],
    token: null,
  })
})

/** Said and written in ways that no rule has as its example. */
const pass = 'x7Kq2mVb9TzR'
const drawn = 'aQ7rT2mX9cV4bN8kL3wZ6yH1'
const SAID = [
  `Hey, my login for the VPN is jdoe and the password is ${pass} - can you test it?`,
  `das neue Passwort vom Server: ${pass}`,
  `пароль для входа в админку: ${pass}`,
  `вот доступ: admin / ${pass}`,
  `服务器的密码是：${pass}`,
  `把口令换成 ${pass} 再试一次`,
  `la contraseña es ${pass}`,
  `le mot de passe est ${pass}`,
  `INFO: Generated admin password: ${pass}`,
  `The API token for staging is \`${drawn}\``,
  `sqlcmd -S h -U sa -P ${pass}`,
  `http -a bob:${pass} https://example.org`,
  `kubectl create secret docker-registry r --docker-password=${pass}`,
  `aws configure set aws_secret_access_key ${drawn}${drawn.slice(0, 16)}`,
  `'password' => env('DB_PASSWORD', '${pass}'),`,
  `<property name="password" value="${pass}"/>`,
  `secretKey := []byte("${drawn}")`,
  `requirepass ${pass}`,
  `Ocp-Apim-Subscription-Key: ${hex(32)}`,
  `acme_live_${drawn}abcd1`,
]
const ABOUT = [
  'The secret of good UX is user-first design',
  'use src/auth/token.ts',
  '✔ password is required (2.31ms)',
  'All tests pass on node-22.18; 3 pass, 2 fail',
  'the key is ctrl+shift+p',
  'Passwort siehe 1Password, пароль от 8 до 64 символов, 密码长度8-16位',
  'password must match /^(?=.*[A-Z]).{8,}$/',
  'error 401: token expired at 2026-05-04T12:00:00Z',
  'arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-AbCdEf',
  'PASSWORD=$(openssl rand -hex 16)',
  'the password is a base64url-encoded document',
  'cost of tokens\\n- Configuration of API tokens',
]

test('secrets are known by how people speak and tools are called', () => {
  assert.deepEqual(
    SAID.map(redact).filter((text) => [pass, drawn, hex(32)].some((secret) => text.includes(secret))),
    [],
  )
  assert.deepEqual(ABOUT.map(redact), ABOUT)
})

test('what was found to be a secret is masked in the rest of the answer too', () => {
  const answer = { first: `the password is ${pass}`, later: [`I tried ${pass} again`], count: 2 }
  assert.ok(!JSON.stringify(redactJson(answer)).includes(pass))
})

test("the user's own keys are masked whatever their form, also encoded", () => {
  const own = 'corp/9-letters+Zebra77'
  assert.equal(redact(`rejected ${own}`), `rejected ${own}`)
  guardSecrets([own, undefined, 'plainword'])
  assert.equal(redact(`rejected ${own}`), 'rejected [redacted: own key]')
  assert.ok(!redact(Buffer.from(own).toString('base64')).includes('Y29ycC85'))
  assert.equal(redact('a plainword'), 'a plainword')
})

test('what is known from elsewhere in the chat is taken out of names too, and none of two that become the same is lost', () => {
  const seen = new Seen(7)
  for (const secret of ['hunter2xyz', 'Tr0mbone-77q']) seen.add(secret)
  const args = { hunter2xyz: 1, deep: [{ 'Tr0mbone-77q': 2, 'at hunter2xyz': 3, hunter2xyz: 4 }] }
  assert.deepEqual(redactJsonIn(args, seen), {
    '[redacted: secret]': 1,
    deep: [{ '[redacted: secret]': 2, 'at [redacted: secret]': 3, '[redacted: secret] 2': 4 }],
  })
  assert.deepEqual(redactJson({ [`ghp_${mixed(36)}`]: 1, [`ghp_${mixed(35)}`]: 2 }), {
    '[redacted: GitHub token]': 1,
    '[redacted: GitHub token] 2': 2,
  })
})

test('a title that was cut ends in no half of a secret, whatever it is made of', () => {
  const words = 'why is it refused '.repeat(20)
  const cut = (end: string) => `${words.slice(0, 199 - end.length)} ${end}`
  for (const half of ['Corn!flowe', 'tulip4mea', 'Сад#васил', 'наш7василек', 'correct-horse-battery-stap'])
    assert.ok(!redactJson({ title: cut(half) }).title.includes(half.slice(0, 8)), half)
  for (const word of ['refused', 'responsibilities', 'read/write', 'Zugangsdaten', 'password-reset'])
    assert.ok(redactJson({ title: cut(word) }).title.endsWith(word), word)
  assert.equal(redactJson({ title: 'Why Corn!flower' }).title, 'Why Corn!flower')
})
