import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guardSecrets, redact, redactJson, redactJsonIn, Seen } from './redact.ts'

/** Made up, and put together here so that no scanner takes this file for a leak. */
const mixed = (length: number) => 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW0xY'.repeat(8).slice(0, length)
const hex = (length: number) => '3f9a1c7e5b2d8046'.repeat(10).slice(0, length)

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

const long = `sk-ant-api03-${mixed(95)}`
const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4ifQ.${mixed(43)}`
const brokenAt = (width: number, text: string, by = '\n') =>
  text.replace(new RegExp(`.{${width}}(?=.)`, 'g'), `$&${by}`)

/** As terminals, mails and boxes break them over lines. */
const BROKEN: [text: string, secret: string][] = [
  [brokenAt(64, `ANTHROPIC_API_KEY=${long}`), long],
  [brokenAt(76, `the key is ${long} and`, '=\r\n'), long],
  [`the token: ghp_${mixed(16)}\n${mixed(36).slice(16)} and so`, mixed(36)],
  [brokenAt(60, jwt), jwt],
  [brokenAt(60, `Authorization: Bearer ${jwt}`, '\n    '), jwt],
  [`│ sk-ant-api03-${mixed(50)} │\n│ ${mixed(95).slice(50)}      │`, long],
  [`curl -H "Authorization: Bearer sk-ant-api03-${mixed(50)}\\\n${mixed(95).slice(50)}"`, long],
]

/** As code puts them together. */
const PARTS: [text: string, secret: string][] = [
  [`const key = "sk-proj-${mixed(12)}" + "${mixed(60).slice(12)}"`, mixed(60)],
  [`const key =\n  'sk-' +\n  'proj-${mixed(60)}'`, mixed(60)],
  [`$key = 'ghp_${mixed(8)}' . '${mixed(36).slice(8)}';`, mixed(36)],
  [`key = ("sk-proj-${mixed(20)}"\n       "${mixed(60).slice(20)}")`, mixed(60)],
  [`API_TOKEN = "${mixed(12)}" + "${mixed(40).slice(12)}"`, mixed(40)],
]

/** As they are written within something else. */
const WITHIN: [text: string, secret: string][] = [
  ['?db=postgres%3A%2F%2Fuser%3Atr7kQ9zLm2x%40db.example.org%2Fshop', 'tr7kQ9zLm2x'],
  ['postgres%253A%252F%252Fuser%253Atr7kQ9zLm2x%2540db.example.org', 'tr7kQ9zLm2x'],
  [encodeURIComponent(JSON.stringify({ password: 'tr7kQ9zLm2x' })), 'tr7kQ9zLm2x'],
  [encodeURIComponent(`-----BEGIN PRIVATE KEY-----\n${mixed(64)}\n-----END PRIVATE KEY-----`), mixed(64)],
  [quotedTwice({ password: 'tr7kQ9zLm2x' }), 'tr7kQ9zLm2x'],
  [quotedTwice({ run: 'export DB_PASSWORD="tr7kQ9zLm2x"' }), 'tr7kQ9zLm2x'],
  [quotedTwice({ file: `-----BEGIN PRIVATE KEY-----\n${mixed(64)}\n${mixed(64)}\n` }), mixed(64)],
  ['{"password"\\u003a"tr7kQ9zLm2x"}', 'tr7kQ9zLm2x'],
  ['&lt;password&gt;tr7kQ9zLm2x&lt;/password&gt;', 'tr7kQ9zLm2x'],
  ['&amp;lt;password&amp;gt;tr7kQ9zLm2x&amp;lt;/password&amp;gt;', 'tr7kQ9zLm2x'],
  [`ghp_\u200b${mixed(36)}`, mixed(36)],
]

function quotedTwice(value: object): string {
  return JSON.stringify(JSON.stringify(JSON.stringify(value)))
}

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

test('secrets are taken out where they are broken over lines, put together from strings, or written with escapes', () => {
  const left = [...BROKEN, ...PARTS, ...WITHIN].filter(([text, secret]) => hasPiece(redact(text), secret))
  assert.deepEqual(
    left.map(([text]) => redact(text)),
    [],
  )
})

function hasPiece(text: string, secret: string): boolean {
  const length = Math.min(10, secret.length)
  return Array.from(secret.slice(length - 1)).some((_, i) => text.includes(secret.slice(i, i + length)))
}

test('what follows a secret on the next line, or beside it in another string, stays', () => {
  for (const after of [
    'and the next line says why it is refused',
    'getUserById2Name',
    'service_account_for_team_a1_b2',
    '3f9a1c7e5b2d80463f9a1c7e5b2d80463f9a1c7e',
    'https://docs.example.org/v2/keys',
    'SHOP_URL=https://shop.example.org',
    'src/auth/token-v2.test.ts',
    `nextPageToken=${mixed(30)}`,
  ])
    assert.equal(redact(`OPENAI_API_KEY=${long}\n${after}`), `OPENAI_API_KEY=[redacted: API key]\n${after}`)
  assert.equal(
    redact(`run("--token", "ghp_${mixed(36)}", "my-shop")`),
    'run("--token", "[redacted: GitHub token]", "my-shop")',
  )
  assert.equal(redact(`'${mixed(4)}' + \`ghp_${mixed(36)}\``), `'${mixed(4)}' + \`[redacted: GitHub token]\``)
  assert.equal(redact(`"ghp_${mixed(36)}"\n"my-shop-2"`), '"[redacted: GitHub token]"\n"my-shop-2"')
  for (const [text] of [...BROKEN, ...PARTS, ...WITHIN]) assert.equal(redact(redact(text)), redact(text))
})

test('lines, strings and escapes without end do not make it hang', () => {
  const line = 'abcdefghijklmnopqrstuvwxyz'.repeat(14)
  // With a cost that grows with the square or worse, one of these takes minutes.
  for (const unit of [
    `${line}7/\n`,
    '\\\\',
    "insert into t (password) values ('",
    "''",
    '%3D',
    '"\n"',
    'key,',
  ])
    redact(`${unit.repeat(Math.ceil(60_000 / unit.length))} %3D`)
})

test('what is around a secret stays, and what was redacted is left alone', () => {
  assert.equal(
    redact('connect to postgres://shop:correct-horse@db/shop now'),
    'connect to postgres://shop:[redacted: password]@db/shop now',
  )
  for (const [text] of SECRETS) assert.equal(redact(redact(text)), redact(text))
})

test('private keys are taken out also where only a part of the file is there, or lines are numbered', () => {
  const body = `${brokenAt(64, mixed(240))}`
  const keys = [
    `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIB\n${body}`,
    `KEY="MIIEpAIBAAKCAQEA${mixed(240)}"; run`,
    `{"key":"MC4CAQAwBQYDK2VwBCIEI${mixed(64)}"}`,
    `b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\n${body}`,
    `and the end of it:\n${body}\n-----END PRIVATE KEY-----`,
    JSON.stringify(`${body}\n-----END RSA PRIVATE KEY-----`),
    `  1→-----BEGIN PRIVATE KEY-----\n${body
      .split('\n')
      .map((line, i) => `  ${i + 2}→${line}\n`)
      .join('')}`,
  ]
  assert.deepEqual(
    keys.map((text) => redact(text)).filter((text) => hasPiece(text, mixed(64))),
    [],
  )
})

test('a sentence about key files stays, and so does what is between the beginning of one and the end of another', () => {
  for (const text of [
    'It begins with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----, as in PEM.',
    'if (!text.startsWith("-----BEGIN PGP PRIVATE KEY BLOCK-----")) return',
    `MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A${mixed(240)}`,
  ])
    assert.equal(redact(text), text)
  const between = 'so far the first. This is how long sentences/are/kept/in/between.'
  const file = `-----BEGIN PRIVATE KEY-----\n${mixed(64)}\n`
  const end = '-----END PRIVATE KEY-----'
  assert.ok(redact(`${file}${between}\n${file}${end}`).includes(between))
  assert.equal(redact(`${file}Thanks`), '[redacted: private key]\nThanks')
})

test('in a table what stands in the column of passwords or keys is taken out, in every row', () => {
  const table = (first: string, second: string) =>
    `| Service | Password | API key |\n| --- | :---: |---|\n| db | ${first} | see \`docs/keys.md\` |\n| mail | \`${second}\` | **${mixed(24)}** |\n| cache | none | - |\n\nThe password | is above`
  const clean = redact(table('tR7kQ9zLm2x', 'correct-horse-7'))
  const mask = '[redacted: password]'
  assert.equal(clean, table(mask, mask).replace(mixed(24), mask))
})

/** Columns, as spreadsheets, databases and consoles write them. */
const COLUMNS: [text: string, secret: string][] = [
  ['DB_USER\tapp\nDB_PASSWORD\ttR7kQ9zLm2x', 'tR7kQ9zLm2x'],
  [`NAME            VALUE\nAPI_TOKEN       ${mixed(30)}\n`, mixed(30)],
  ['user,password\nbob,tR7kQ9zLm2x\nann,"Zq8, kitchen"\n', 'tR7kQ9zLm2x'],
  ['id;login;pwd\n1;"bob; the first";tR7kQ9zLm2x', 'tR7kQ9zLm2x'],
  ['user\tpassword\nbob\ttR7kQ9zLm2x', 'tR7kQ9zLm2x'],
  ['USER   PASSWORD      HOST\nbob    tR7kQ9zLm2x   db.example.org', 'tR7kQ9zLm2x'],
  [`Access key ID,Secret access key\nAKIA${'Q3E7'.repeat(4)},${mixed(40)}`, mixed(40)],
  [`AKIA${'Q3E7'.repeat(4)}\n${mixed(40)}\n`, mixed(40)],
  [' user | password \n------+-------------\n bob  | tR7kQ9zLm2x\n', 'tR7kQ9zLm2x'],
  [
    '+-----+-------------+\n| u   | password    |\n+-----+-------------+\n| bob | tR7kQ9zLm2x |',
    'tR7kQ9zLm2x',
  ],
  [
    '│ u   │ password    │\n├─────┼─────────────┤\n│ ann │ -           │\n├─────┼─────────────┤\n│ bob │ tR7kQ9zLm2x │',
    'tR7kQ9zLm2x',
  ],
  ["│ password │ 'tR7kQ9zLm2x' │", 'tR7kQ9zLm2x'],
  [
    "INSERT INTO users (name, password) VALUES\n ('it''s (bob), I''m', 'a'),\n ('bob', 'tR7kQ9zLm2x');",
    'tR7kQ9zLm2x',
  ],
]

test('what stands in a column of passwords or keys is taken out, however columns are written', () => {
  const left = COLUMNS.filter(([text, secret]) => redact(text).includes(secret))
  assert.deepEqual(left, [])
  for (const [text] of COLUMNS) assert.equal(redact(redact(text)), redact(text))
})

test('lists and columns without secrets stay', () => {
  for (const text of [
    'key,en,de\npassword_hint,At least 8 signs,Mindestens 8 Zeichen\ntoken,Token 2fa,Token 2fa\n',
    'import { user, password,\n  token } from "./x2-files"\n',
    'user, password\nuser2, password2\n',
    'secret   sha256 of it, see docs/api-key2.md\n',
    'my-secret        Opaque                               1      3d\n',
    'deploy-token     kubernetes.io/service-account-token  3      12d\n',
    'Password   string `json:"password"`\nToken      *Token2\n',
    'password      varchar(255) NOT NULL,\napi_key       char(64),\n',
    'INSERT INTO users (name, password_hash) VALUES (?, ?)',
    "INSERT INTO users (name, password) VALUES ($1, crypt($2, gen_salt('bf')))",
    `AKIA is how they begin, as in commit 3f9a1c7e5b2d80463f9a1c7e5b2d80463f9a1c7e`,
    ' key | token \n-----+-------\n bob | cl100k_base\n',
  ])
    assert.equal(redact(text), text)
})

test('a password of several words in quotes is taken out, and a sentence about passwords stays', () => {
  for (const text of [
    'password: "two words here"',
    'DB_PASSWORD="correct horse battery staple"',
    "export PASSPHRASE='my dog ate 7 cats!'",
    '{"password": "Tr0ub4dor & 3", "user": "bob"}',
    'mysql --password="kitchen Window 12"',
  ])
    assert.match(redact(text), /\[redacted: password\]["']/, text)
  assert.deepEqual(redactJson({ passphrase: 'correct horse battery staple' }), {
    passphrase: '[redacted: secret]',
  })
  for (const text of [
    'password: "must be at least 8 characters"',
    'password: "is too short"',
    '"password": "Forgot password?",',
    '"password": "Neues Passwort wählen"',
    "password: 'Sign in with your account'",
    'PASSWORD="set in the vault"',
    'DB_PASSWORD="your password here"',
    'password="$(op read op://x/y z)"',
    'password: "min 8 max 64"',
    "t('password', 'Enter it again')",
    '`--password`, `npm run build all`, `-storepass`, `list every user`',
    '<input name="password" value="Show it now" />',
  ])
    assert.equal(redact(text), text)
})

test('secrets in base64 are taken out, and nothing else of it', () => {
  const secret = 'tR7kQ9zLm2xV4'
  const lead = 'SHOP_NAME=orchard\nSHOP_REGION=eu-west\n'
  const auth = Buffer.from(`bob:${secret}`).toString('base64')
  const texts: [text: string, hidden: string][] = [
    [`ghp_${mixed(36)}`, mixed(36)],
    [`${lead}DB_PASSWORD=${secret}\nEND=1`, secret],
    [`postgres://app:${secret}@db.example.org/shop`, secret],
    [`{"auths":{"ghcr.io":{"auth":"${auth}"}}}`, auth],
    [`$env:DB_PASSWORD='${secret}'; ./deploy`, secret],
  ]
  for (const [text, hidden] of texts)
    for (const encoding of ['utf8', 'utf16le'] as const) {
      const bytes = Buffer.from(text, encoding)
      const from = bytes.indexOf(Buffer.from(hidden, encoding))
      const to = from + Buffer.byteLength(hidden, encoding)
      const said = `run ${bytes.toString('base64')}`
      const piece = said.slice(4 + Math.ceil(from / 3) * 4, 4 + Math.floor(to / 3) * 4)
      assert.ok(piece.length >= 12 && !hasPiece(redact(said), piece), redact(said))
      assert.equal(redact(redact(said)), redact(said))
    }
  const begin = Buffer.from(lead).toString('base64').slice(0, 40)
  assert.ok(redact(Buffer.from(`${lead}DB_PASSWORD=${secret}`).toString('base64')).startsWith(begin))
  for (const text of [lead.repeat(9), '<svg xmlns="http://www.w3.org/2000/svg"><path d="M1 2h3"/></svg>']) {
    const said = `data:text/plain;base64,${Buffer.from(text).toString('base64')}`
    assert.equal(redact(said), said)
  }
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
