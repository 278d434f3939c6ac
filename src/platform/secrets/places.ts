import { looksDrawn } from './chance.ts'
import type { Rule, Span } from './span.ts'
import { isSecretValue } from './values.ts'

/** Places of which the grammar says that a secret is there: `curl -u`, `://user:…@`, `IDENTIFIED BY`. */
type Check = 'any' | 'password' | 'drawn'

interface Place {
  kind: string
  /** The words by which it is noticed, each. */
  at: string[]
  /** Read from the end of the word on; the group `secret` is the one. */
  reads: RegExp
  check: Check
  /** What must be before it on its line. */
  behind?: RegExp
}

const Q = `["'\`]?`
const place = (
  kind: string,
  at: string | string[],
  reads: RegExp,
  check: Check = 'password',
  behind?: RegExp,
): Place => ({
  kind,
  at: Array.isArray(at) ? at : [at],
  // Sticky, and with the places of groups.
  reads: new RegExp(reads.source.replace(/^\^/, ''), `${reads.flags}dy`),
  check,
  ...(behind && { behind }),
})
const flag = (tools: string | string[], flags: string): Place =>
  place('password', tools, new RegExp(`^(?:[^\\n]{0,200}?\\s)?(?:${flags})${Q}(?<secret>[^\\s"'\`]{4,128})`))

const PLACES: Place[] = [
  place(
    'password',
    '://',
    /^(?<user>[^\s/:@"'`<>]{0,128}):(?!\d{1,5}(?:[/?#,\s]|$))(?<secret>(?:(?!:\/\/)[^\s"'`<>]){2,256})@/,
    'any',
  ),
  place('token', '://', /^(?<secret>[^\s/:@"'`<>]{20,256})@/, 'drawn'),
  place(
    'password',
    [' -u', ' -a', ' --auth', ' --user', ' --proxy-user'],
    new RegExp(`^[ =]?${Q}[^\\s:"'\`$]{1,64}:(?<secret>[^\\s"'\`]{3,128})`),
    'password',
    /\b(?:curl|wget|http|https|xh|hurl|svn|rclone|ab|siege|docker|helm|skopeo)\b/i,
  ),
  place(
    'authorization',
    'authorization',
    /^\\?["'`]?\]?\s{0,3}[:=,]\s{0,3}\\?["'`]?(?:[A-Za-z][\w-]{2,15}\s{1,2})?(?<secret>[A-Za-z0-9+/=._~:-]{12,2000})/,
    'drawn',
  ),
  place(
    'authorization',
    ['bearer ', 'ssws ', 'apikey '],
    /^\s?(?<secret>[A-Za-z0-9+/=._~-]{16,2000})/,
    'drawn',
  ),
  place(
    'authorization',
    ['basic '],
    /^(?<secret>[A-Za-z0-9+/]{8,600}={0,2})(?![A-Za-z0-9])/,
    'drawn',
    /authorization\\?["'`]?\]?\s{0,3}[:=,]\s{0,3}\\?["'`]?$/i,
  ),
  place(
    'password',
    [':5432:', ':5433:', ':6432:', ':*:'],
    /^[^\s:]{1,64}:[^\s:]{1,64}:(?<secret>[^\s:]{4,128})(?=\s|$)/,
  ),
  place(
    'password',
    ['mysql ', 'mysqldump ', 'mysqladmin ', 'mariadb ', 'mysqlimport '],
    new RegExp(`^(?:[^\\n|;]{0,200}?\\s)?-p${Q}(?<secret>[^\\s"'\`$-][^\\s"'\`]{3,127})`),
  ),
  flag(['sshpass '], '-p\\s?'),
  flag(['redis-cli'], '-a\\s'),
  flag(
    [
      'docker login',
      'podman login',
      'nerdctl login',
      'helm registry login',
      'az login',
      'az acr login',
      'oc login',
      'twine ',
      'cqlsh ',
      'mongosh ',
      'mongo ',
      'mongodump ',
      'mongorestore ',
      'rdesktop ',
      'ipmitool ',
    ],
    '-p\\s?|-P\\s',
  ),
  flag(
    [
      'ldapsearch',
      'ldapadd',
      'ldapmodify',
      'ldapwhoami',
      'security add-generic-password',
      'security add-internet-password',
    ],
    '-w\\s',
  ),
  flag(['sqlcmd', 'bcp ', 'zip ', 'isql ', 'unzip '], '-P\\s?'),
  flag(['7z a', '7z x', '7za ', 'rar ', 'unrar '], '-(?:h?p)'),
  flag(['openssl '], '-[kK]\\s|-pass(?:in|out)?\\s(?:pass:)?'),
  flag(['snmpwalk', 'snmpget'], '-[AX]\\s'),
  flag(['mosquitto_sub', 'mosquitto_pub', 'snowsql ', 'tsql '], '-P\\s'),
  place(
    'password',
    [
      'auth=(',
      'auth = (',
      'basicauth(',
      'basic_auth(',
      'networkcredential(',
      'passwordauthentication(',
      'plaincredentials(',
      'usernamepasswordcredential(',
      'usernamepasswordauthenticationtoken(',
      '.login(',
      'withbasicauth(',
    ],
    /^\s{0,3}[bru]?["'][^"'\n]{1,80}["']\s{0,3},\s{0,3}[bru]?["'](?<secret>[^"'\n]{4,128})["']\s{0,3}[,)]/,
  ),
  place(
    'password',
    ['mysqli_connect(', 'mysql_connect(', 'mysqli(', 'pdo(', 'getconnection('],
    /^\s{0,3}["'][^"'\n]{1,200}["']\s{0,3},\s{0,3}["'][^"'\n]{1,80}["']\s{0,3},\s{0,3}["'](?<secret>[^"'\n]{4,128})["']\s{0,3}[,)]/,
  ),
  place(
    'password',
    'variable "',
    /^[\w-]{0,60}(?:password|passwd|passphrase|secret|token|api_?key|private_?key|access_?key)[\w-]{0,20}"\s{0,4}\{[^{}]{0,400}?\bdefault\s{0,20}=\s{0,4}"(?<secret>[^"\n]{4,512})"/i,
  ),
  place(
    'secret',
    ['put-parameter', 'create-secret', 'update-secret', 'put-secret-value', 'keyvault secret set'],
    /^(?=[^\n]{0,400}(?:securestring|passw|secret|token|key))[^\n]{0,300}?\s--(?:value|secret-string)[ =]["']?(?<secret>[^"'\s]{4,512})/i,
  ),
  place('password', 'net user ', /^[^\s/]{1,40}\s+(?<secret>[^\s/*][^\s]{3,63})(?=\s|$)/i),
  place(
    'password',
    ['send "', 'send -- "'],
    /^(?<secret>[^"\s\\]{4,128})\\[rn]"/,
    'password',
    /assw|assphrase|passcode/i,
  ),
  place(
    'password',
    '<(echo ',
    /^["']?(?<secret>[^\s"')]{4,128})["']?\)/,
    'password',
    /pass|secret|token|key/i,
  ),
  place('password', ['ftp> user '], /^\S{1,60}\s+(?<secret>\S{4,128})/),
  place('password', ['su - ', 'su -c '], /^\S{1,60}\s{0,3}<<<\s?["']?(?<secret>[^\s"']{4,128})/),
  place(
    'secret',
    ['mc alias set ', 'mc config host add '],
    /^\S{1,60}\s+\S{1,200}\s+\S{1,128}\s+["']?(?<secret>[^\s"']{8,128})/,
  ),
  place('password', 'lftp ', /^[^\n]{0,60}-u\s[^\s,]{1,40},(?<secret>[^\s"']{4,128})/),
  place('password', 'smbclient', /^[^\n]{0,120}-U\s["']?[^\s%]{1,60}%(?<secret>[^\s"']{4,128})/),
  place('password', 'net use', /^\s[^\n]{3,80}?\s(?!\/)(?<secret>[^\s/]{4,64})\s+\/user/i),
  place('password', 'htpasswd', /^\s+-\w*b\w*\s+\S{1,100}\s+\S{1,60}\s+(?<secret>\S{4,128})/),
  place(
    'password',
    ['/p:', '/pass:', 'pass:'],
    /^["']?(?<secret>[^\s"']{4,128})/,
    'password',
    /(?:freerdp|cmdkey|mstsc|-passin |-passout |-pass |openssl)[^\n]*$/i,
  ),
  place('password', 'wpa_passphrase', /^\s+["']?[^\s"']{1,40}["']?\s+["']?(?<secret>[^\s"']{8,63})/),
  place('password', 'rabbitmqctl add_user', /^\s+\S{1,60}\s+["']?(?<secret>[^\s"']{4,128})/),
  place('password', 'chpasswd', /^[^\n]{0,10}<<<\s?["']?[^\s:"']{1,40}:(?<secret>[^\s"']{4,128})/),
  place(
    'password',
    ['echo ', 'printf '],
    /^(?:-[ne]{1,2}\s+)?["']?(?:%s\\?n?["']?\s+["']?)?(?:[a-z_][\w-]{0,31}:)?(?<secret>[^\s"'|:]{4,128})(?:\\n)?["']?\s*\|\s*(?:sudo\s[^\n|]{0,40}-S|sudo\s+-S|[^\n|]{0,120}(?:--password-stdin|--with-token|--stdin\b)|(?:sudo\s+)?chpasswd|(?:sudo\s+)?passwd|kinit|(?:sudo\s+)?cryptsetup|(?:vault|gh auth|npm|doctl auth)\s+login|su\b)/,
  ),
  place('password', ['sudo -s', 'sudo -ks'], /^[^\n]{0,80}<<<\s?["']?(?<secret>[^\s"']{4,128})/),
  place(
    'password',
    'identified',
    /^\s+(?:with\s+\S{1,40}\s+)?by\s+(?:password\s+)?["'](?<secret>[^"'\n]{4,128})["']/i,
    'any',
  ),
  place('password', 'with password', /^\s*=?\s*\\?["'](?<secret>[^"'\n]{4,128})["']/i, 'any'),
  place(
    'password',
    'convertto-securestring',
    /^(?:\s+-(?:String|AsPlainText|Force))*\s+["'](?<secret>[^"'\n]{4,4000})["']/i,
    'any',
  ),
  place(
    'password',
    'pscredential',
    /^\s{0,2}\(?\s*["'][^"']{1,60}["']\s*,\s*["'](?<secret>[^"'\n]{4,128})["']/i,
    'any',
  ),
  place('otp secret', 'otpauth://', /^[^\s"']{0,200}?[?&]secret=(?<secret>[A-Za-z2-7]{8,128})/, 'any'),
  place(
    'signature',
    ['x-amz-signature=', 'x-amz-security-token=', 'x-goog-signature=', 'sig=', '&signature=', '?signature='],
    /^(?<secret>[A-Za-z0-9%+/_~.-]{20,400}={0,2})/,
    'drawn',
  ),
  place('authorization', '"auth"', /^\s?:\s?"(?<secret>[A-Za-z0-9+/]{12,400}={0,2})"/, 'drawn'),
  place(
    'password',
    'sqlplus',
    /^\s+(?:-\w+\s+)*["']?[\w$]{1,40}\/["']?(?<secret>[^\s@"']{3,64})/,
    'password',
  ),
  place(
    'password',
    ['jdbc:oracle:thin:', 'jdbc:oracle:oci:', 'impdp ', 'expdp ', 'sqlldr ', 'rman target '],
    /^["']?[\w$]{1,40}\/["']?(?<secret>[^\s@"']{3,64})["']?@/,
    'any',
  ),
  place(
    'secret',
    ['secret set ', 'secret put ', 'secrets set ', 'variable set '],
    /^\S{1,80}\s[^\n]{0,80}?(?:--body|-b|--value|-v)[ =]["']?(?<secret>[^"'\s]{6,512})/,
    'password',
  ),
  place(
    'seed phrase',
    [
      'seed phrase',
      'recovery phrase',
      'secret phrase',
      'backup phrase',
      'mnemonic',
      'seed words',
      'сид-фраза',
      'сид фраза',
      '助记词',
      'seed-phrase',
    ],
    /^["'`]?(?:\s+(?:is|are|was|of|for|my|the|wallet|это)){0,4}[\s:=："'`-]{1,6}(?<secret>(?:[a-z]{3,8}[ ,]+){11,23}[a-z]{3,8})/,
    'any',
  ),
  ...hashes(),
]

/** Hashes of passwords, which can be guessed at leisure. */
function hashes(): Place[] {
  const h = (at: string, reads: RegExp) => place('password hash', at, reads, 'any')
  return [
    h('$apr1$', /^(?<secret>[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22})/),
    ...['$2a$', '$2b$', '$2y$'].map((at) => h(at, /^(?<secret>\d\d\$[./A-Za-z0-9]{53})/)),
    ...['$1$', '$5$', '$6$', '$y$', '$7$'].map((at) =>
      h(at, /^(?<secret>(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,32}\$[./A-Za-z0-9]{22,86})/),
    ),
    h(
      '$argon2',
      /^(?<secret>(?:i|d|id)\$(?:v=\d+\$)?[a-z]=[^$\s]{1,60}\$[A-Za-z0-9+/]{8,100}\$[A-Za-z0-9+/]{16,200})/,
    ),
    ...['{ssha}', '{sha}', '{smd5}', '{ssha512}', '{ssha256}'].map((at) =>
      h(at, /^(?<secret>[A-Za-z0-9+/]{20,140}={0,2})/),
    ),
    ...['pbkdf2_sha256$', 'pbkdf2:sha256:', 'scrypt:'].map((at) =>
      h(at, /^(?<secret>[\d:]{3,30}\$[A-Za-z0-9+/.]{6,60}\$[A-Za-z0-9+/=]{20,200})/),
    ),
  ]
}

export const PLACE_RULES: Rule[] = PLACES.flatMap((each) =>
  each.at.map((literal) => ({
    literal,
    find: (text: string, from: number, to: number) => secretIn(each, text, from, to),
  })),
)

function secretIn(
  { kind, reads, check, behind }: Place,
  text: string,
  start: number,
  to: number,
): Span | undefined {
  if (behind) {
    const line = text.slice(Math.max(0, start - 300), start)
    if (!behind.test(line.slice(line.lastIndexOf('\n') + 1))) return undefined
  }
  reads.lastIndex = to
  const found = reads.exec(text)
  const { secret, user } = found?.groups ?? {}
  const [from = 0, end = 0] = found?.indices?.groups?.secret ?? []
  return secret && passes(check, secret, user) ? { from, to: end, kind } : undefined
}

function passes(check: Check, secret: string, user: string | undefined): boolean {
  const manner = { quoted: true, setting: true, inSentence: false }
  if (check === 'drawn')
    return isSecretValue('key', secret, manner) && (looksDrawn(secret) || /^[0-9a-f-]{32,}$/i.test(secret))
  if (check === 'password') return isSecretValue('password', secret, manner)
  // Documentation gives a user's own name as the password: `postgres:postgres@`.
  return (
    secret !== user &&
    !/^(?:password|passwd|pass|pwd|secret|token|user|xxx+|\*+|\.+|changeme|example|redacted|your[-_]?\w*|<.*|\$.*|\{.*|%\w+%|\[.*)$/i.test(
      secret,
    )
  )
}
