import { flag, type Place, place } from './place.ts'

/** What is typed into programs and spoken between them: prompts, protocols, here-strings, devices. */
export const SESSION_PLACES: Place[] = [
  // Shells
  place(
    'password',
    '<<<',
    // No end of a tag.
    /^(?!\/\w{1,20}>)\s?["']?(?:[\w.@-]{1,60}:)?(?<secret>[^\s"':]{4,128})/,
    'password',
    /pass|secret|token|credential|key\b|login|\bsu\b|sudo|kinit|env add/i,
  ),
  place(
    'password',
    ['"echo ', "'echo ", '$(echo '],
    /^(?:-n\s+)?["']?(?<secret>[^\s"'`)$|]{4,128})["'`)]/,
    'password',
    /(?:pass(?:word|phrase|wd)?|secret|token|askpass)[\w-]{0,20}[= ][^\s]{0,3}$/i,
  ),
  flag(['ssh-keygen', 'gpg2 ', 'gpg '], '-N\\s|--passphrase[ =]'),
  flag(['signtool ', 'certreq '], '/p\\s'),
  flag(['certutil', 'pk12util', 'keepassxc-cli', 'vncviewer', 'wbadmin'], '-(?:p|K|W)\\s'),
  flag(['useradd ', 'usermod ', 'adduser '], '-p\\s'),
  flag(['cadaver', 'rpcclient', 'evil-winrm', 'crackmapexec', 'netexec', 'nxc '], '-p\\s'),
  flag(
    ['pg_dump', 'pg_restore', 'clickhouse-client', 'cockroach', 'trino', 'cbq ', 'couchbase-cli'],
    '--password[ =]',
  ),
  place(
    'password',
    ['-setairportnetwork '],
    /^\S{1,20}\s+(?:"[^"\n]{1,40}"|'[^'\n]{1,40}'|\S{1,40})\s+["']?(?<secret>[^\s"']{8,63})/,
  ),
  place(
    'password',
    'set_network ',
    /^\d{1,3}\s+(?:psk|password|wep_key\d)\s+["']{0,3}(?<secret>[^\s"']{5,63})/,
  ),
  place('password', 'wifi:', /^(?:[A-Z]:[^;\n]{0,80};){0,4}P:(?<secret>(?:[^;\\\n]|\\.){5,63});/),
  place(
    'password',
    ' /d ',
    /^["']?(?<secret>[^\s"'/][^\s"']{3,127})/,
    'password',
    /\/v\s+\S{0,40}(?:pass|pwd|secret|token|key)/i,
  ),
  place(
    'token',
    [' login ', ' auth ', 'add-authtoken ', 'authtoken ', 'service install '],
    /^["']?(?<secret>[A-Za-z0-9_.-]{20,600}={0,2})["']?\s{0,3}(?=[\r\n;&|`]|$)/,
    'drawn',
  ),
  place('password', 'rabbitmqctl change_password', /^\s+\S{1,60}\s+["']?(?<secret>[^\s"']{4,128})/),
  place(
    'secret',
    ['secret:create', 'secret create', 'env:create', 'env create', 'secrets:set', 'secrets create'],
    /^[^\n]{0,200}?\s--(?:value|data|secret)[ =]["']?(?<secret>[^"'\s]{6,512})/,
  ),

  // Calls that take a key without naming it
  place(
    'secret',
    'createhmac(',
    /^\s{0,3}["'][\w-]{2,20}["']\s{0,3},\s{0,3}["'](?<secret>[^"'\n]{8,512})["']/,
  ),
  place('secret', 'hmac.new(', /^\s{0,3}b?["'](?<secret>[^"'\n]{8,512})["']/),
  place(
    'secret',
    ['jwt.sign(', 'jwt.verify(', 'jwt.encode(', 'jwt.decode('],
    /^[^"'\n]{1,120}?,\s{0,3}["'](?<secret>[^"'\n]{8,512})["']/,
  ),
  place(
    'API key',
    [
      'openai(',
      'anthropic(',
      'stripe(',
      'resend(',
      'octokit(',
      'webclient(',
      'sendgrid(',
      'telebot(',
      'mistral(',
      'groq(',
    ],
    /^\s{0,3}["'](?<secret>[A-Za-z0-9_.:-]{20,400})["']\s{0,3}[,)]/,
    'drawn',
  ),

  // Prompts and protocols
  place(
    'password',
    'auth ',
    /^(?:[\w.@-]{1,40}\s)?(?<secret>[^\s"']{6,256})\s{0,3}(?=\r?\n|$)/,
    'password',
    prompt(),
  ),
  place('password', 'pass ', /^(?<secret>[^\s"']{4,128})\s{0,3}(?=\r?\n|$)/, 'password', prompt()),
  place(
    'password',
    [' login '],
    /^["']?[\w.@+-]{1,80}["']?\s["']?(?<secret>[^\s"']{4,128})["']?\s{0,3}(?=\r?\n|$)/,
    'password',
    /^(?:[<>C:\s]{0,4})[A-Za-z]{0,3}\d{1,5}$/,
  ),
  place(
    'authorization',
    ['auth plain ', 'authenticate plain '],
    /^(?<secret>[A-Za-z0-9+/]{8,400}={0,2})(?![A-Za-z0-9])/,
    'any',
  ),
  place('password', 'setuser ', /^[^\n]{1,80}?\s[>](?<secret>[^\s"']{4,128})/),
  place('password', ['hello 3 auth ', 'hello 2 auth '], /^\S{1,60}\s(?<secret>\S{4,128})/),
  place(
    'password',
    ['password ', 'secret ', 'key '],
    /^(?:0|5|6|7|8|9)\s(?=\S{0,127}[0-9!#$%^&*@])(?<secret>[^\s"']{4,128})(?=\s|$)/,
    'password',
    /^\s{0,8}(?:(?:username|enable|line|neighbor|key|snmp|tacacs|radius|ppp|server|aaa)\b|$)/i,
  ),
  place('password', ['snmp-server community ', 'snmp community '], /^(?<secret>[^\s"']{4,64})(?=\s|$)/),
]

/** The beginning of a line, or what a program shows there; commands are written large where there is none. */
function prompt(): RegExp {
  return /^(?:\s{0,4}|[\w.:@()[\]\s-]{0,60}>\s{0,2}|(?:C|S|->|<-|>)[:\s]\s?)$/
}
