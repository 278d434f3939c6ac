import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redact, redactJson } from './redact.ts'
import { hasPiece, mixed } from './redact-kit.ts'

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
  [`+const key = "sk-proj-${mixed(12)}" +\n+  "${mixed(60).slice(12)}"`, mixed(60)],
  [JSON.stringify(`key = "sk-proj-${mixed(12)}" + "${mixed(60).slice(12)}"`), mixed(60)],
  [JSON.stringify(brokenAt(60, `ANTHROPIC_API_KEY=${long}`)), long],
  [JSON.stringify(brokenAt(60, `ANTHROPIC_API_KEY=${long}`, '\r\n')), long],
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
  ['  ~ master_password = "tulip4meadow" -> "tr7kQ9zLm2x" # forces replacement', 'tr7kQ9zLm2x'],
  ['  ~ "DB_PASSWORD" = "" -> "tr7kQ9zLm2x"', 'tr7kQ9zLm2x'],
  [JSON.stringify({ out: 'name,password\nalex,tr7kQ9zLm2x' }), 'tr7kQ9zLm2x'],
  [JSON.stringify([{ text: 'name\tAPI key\nalex\ttr7kQ9zLm2x\n' }]), 'tr7kQ9zLm2x'],
  [JSON.stringify({ out: '"name","password"\r\n"alex","tr7kQ9zLm2x"\r\n' }), 'tr7kQ9zLm2x'],
  [JSON.stringify('| user | password |\n| --- | --- |\n| alex | `tr7kQ9zLm2x` |\n'), 'tr7kQ9zLm2x'],
  [
    JSON.stringify({ stdout: ' id | password \n----+---------\n  1 | tr7kQ9zLm2x\n(1 row)\n' }),
    'tr7kQ9zLm2x',
  ],
]

function quotedTwice(value: object): string {
  return JSON.stringify(JSON.stringify(JSON.stringify(value)))
}

test('secrets are taken out where they are broken over lines, put together from strings, or written with escapes', () => {
  const left = [...BROKEN, ...PARTS, ...WITHIN].filter(([text, secret]) => hasPiece(redact(text), secret))
  assert.deepEqual(
    left.map(([text]) => redact(text)),
    [],
  )
})

test('lines in strings that are of no table stay', () => {
  for (const text of [
    JSON.stringify({ out: 'token,count\nwinter2024,12\n' }),
    JSON.stringify({ out: 'Your password, please\nwinter2024 is fine, too' }),
    JSON.stringify({ out: '| key | means |\n| --- | --- |\n| F12x | opens it |' }),
    JSON.stringify({ password: '', name: 'a\nwinter2024,12' }),
  ])
    assert.equal(redact(text), text)
})

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

test('what escapes stand for is a secret only where it would be one', () => {
  for (const text of [
    JSON.stringify(JSON.stringify('/^(?:https?|ftp):\\/\\/(?:\\S+(?::\\S*)?@)?(?:10)/')),
    JSON.stringify(JSON.stringify('/^(?:(?:https?|ftp):\\/\\/)(?:\\S+(?::\\S*)?@)?(?:10)/')),
    '<a accesskey="1" title="All">&lt;&lt;</a></b></p>',
  ])
    assert.equal(redact(text), text)
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
  redact(`|\n-- |${' '.repeat(200_000)}x`)
})

test('what was masked behind `net use` stays as it is', () => {
  const masked = redact('net use Z: \\\\nas\\share tR7kQ9zLm2x /user:bob')
  assert.equal(masked, 'net use Z: \\\\nas\\share [redacted: password] /user:bob')
  assert.equal(redact(masked), masked)
})

test('private keys are taken out also where only a part of the file is there, or lines are numbered', () => {
  const body = `${brokenAt(64, mixed(240))}`
  const keys = [
    `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIB\n${body}`,
    `KEY="MIIEpAIBAAKCAQEA${mixed(240)}"; run`,
    `{"key":"MC4CAQAwBQYDK2VwBCIEI${mixed(64)}"}`,
    `b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\n${body}`,
    `and the end of it:\n${body}\n-----END PRIVATE KEY-----`,
    `-----BEGIN PRIVATE KEY-----\n${body}`.replace(/^/gm, '// '),
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
  ['-[ RECORD 1 ]-\nname     | bob\npassword | tR7kQ9zLm2x\n', 'tR7kQ9zLm2x'],
  ['> | user | password |\n> |---|---|\n> | bob | tR7kQ9zLm2x |', 'tR7kQ9zLm2x'],
  ['+user,password\n+bob,tR7kQ9zLm2x\n', 'tR7kQ9zLm2x'],
  ['> user,password\n> bob,tR7kQ9zLm2x\n', 'tR7kQ9zLm2x'],
  ['> DB_PASSWORD  tR7kQ9zLm2x\n', 'tR7kQ9zLm2x'],
  ["REPLACE INTO users (name, password) VALUES ('bob', 'tR7kQ9zLm2x')", 'tR7kQ9zLm2x'],
  ["INSERT IGNORE INTO users (name, password) VALUES (N'bob', N'tR7kQ9zLm2x')", 'tR7kQ9zLm2x'],
  ["+INSERT INTO users (name, password) VALUES\n+ ('bob', 'tR7kQ9zLm2x');", 'tR7kQ9zLm2x'],
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

test('a value on a line of its own is taken out, in a diff, a quotation and JSON too', () => {
  const value = 'tR7kQ9zLm2x'
  for (const text of [
    `+password: |\n+  ${value}\n`,
    `> password: |\n>   ${value}\n`,
    `password: |2\n  ${value}\n`,
    `+  - name: DB_PASSWORD\n+    value: "${value}"\n`,
    `>   - name: DB_PASSWORD\n>     value: ${value}\n`,
    JSON.stringify(`- name: DB_PASSWORD\n  value: ${value}\n`),
    `db_password = <<EOF\n${value}\nEOF`,
    `  db_password = <<-EOT\n    ${value}\n  EOT`,
    `<password><![CDATA[${value}]]></password>`,
  ])
    assert.equal(redact(text), text.replace(value, '[redacted: password]'))
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
    'key | string\ntype Token =\n  token | undefined\n',
    ' * crmfEncryptedPrivateKey           CRMFEncryptedKey*\n',
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
    "CUSTOM_PASS = lit.Test.ResultCode('CUSTOM_PASS', 'My Passed', False)",
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
    [`# Für Müller\nDB_PASSWORD=${secret}`, secret],
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
