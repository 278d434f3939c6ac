import { isSecretValue } from './secret-value.ts'

/**
 * Takes secrets out of text on its way out: to a screen, an agent, a file. The archive itself
 * keeps what was said. What has the form of a service's keys goes wherever it stands; anything else
 * only where its name says that it is a secret, so that hashes, ids and code survive.
 */
export function redact(text: string): string {
  if (text.length < SHORTEST) return text
  let result = text
  if (result.includes('PRIVATE KEY')) result = result.replace(PRIVATE_KEY, '[redacted: private key]')
  result = result.replace(KEYS, (...found) => `[redacted: ${nameIn(found.at(-1))}]`)
  if (result.includes('://')) result = result.replace(IN_URL, '$1[redacted: password]@')
  result = result.replace(HEADER, '$1 [redacted: authorization]')
  return result.replace(NAMED, (whole, lead: string, name: string, quote: string, value: string) =>
    isSecretValue(name, value, quote !== '') ? `${lead}${quote}[redacted: secret]` : whole,
  )
}

/** The same for every string in a JSON value. */
export function redactJson<T>(value: T): T {
  if (typeof value === 'string') return redact(value) as T
  if (Array.isArray(value)) return value.map(redactJson) as T
  if (value && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, redactField(name, each)]),
    ) as T
  }
  return value
}

/** In JSON the name stands beside the value, not before it. */
function redactField(name: string, value: unknown): unknown {
  if (typeof value !== 'string' || value.length < SHORTEST) return redactJson(value)
  return isSecretValue(name, value, true) && FIELD.test(name) ? '[redacted: secret]' : redact(value)
}

const SHORTEST = 8

const PRIVATE_KEY =
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g

/** Keys that are known by their form, and by nothing else. */
const SERVICES: [name: string, form: string][] = [
  ['AWS key', '\\b(?:AKIA|ASIA|ABIA)[A-Z0-9]{16}\\b'],
  ['GitHub token', '\\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})'],
  ['GitLab token', '\\bgl(?:pat|ptt|dt|rt|cbt|soat)-[A-Za-z0-9_-]{16,}'],
  // Not every word after `sk-` is a key: scikit-learn's pages are full of such names.
  [
    'API key',
    '\\b(?:sk|rk|pk)-(?:ant-|proj-|svcacct-|admin-|or-|lf-|live-|test-)*(?=[A-Za-z0-9_-]*[0-9])(?=[A-Za-z0-9_-]*[A-Za-z0-9]{12})[A-Za-z0-9_-]{20,}',
  ],
  ['Stripe key', '\\b(?:[srp]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}'],
  ['Google key', '\\bAIza[A-Za-z0-9_-]{30,}|\\bGOCSPX-[A-Za-z0-9_-]{20,}|\\bya29\\.[A-Za-z0-9_-]{20,}'],
  ['Slack token', '\\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\\bxapp-[0-9]-[A-Za-z0-9-]{20,}'],
  [
    'webhook',
    'https://(?:hooks\\.slack\\.com/services|discord(?:app)?\\.com/api/webhooks)/[A-Za-z0-9/_-]{20,}',
  ],
  ['npm token', '\\bnpm_[A-Za-z0-9]{30,}'],
  ['PyPI token', '\\bpypi-AgE[A-Za-z0-9_-]{30,}'],
  ['Hugging Face token', '\\bhf_[A-Za-z0-9]{30,}'],
  ['Docker token', '\\bdckr_[po]at_[A-Za-z0-9_-]{20,}'],
  ['SendGrid key', '\\bSG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}'],
  ['Twilio key', '\\bSK[0-9a-f]{32}\\b'],
  ['DigitalOcean token', '\\bdo[opr]_v1_[a-f0-9]{40,}'],
  ['Databricks token', '\\bdapi[0-9a-f]{32}\\b'],
  ['Telegram token', '\\b[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}'],
  ['Discord token', '\\b[MNO][A-Za-z0-9]{23,25}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,}'],
  ['Vault token', '\\bhv[sb]\\.[A-Za-z0-9_-]{20,}'],
  ['Azure key', '(?<=AccountKey=)[A-Za-z0-9+/]{80,}={0,2}'],
  [
    'API key',
    '\\b(?:gsk_|xai-|pplx-|r8_|lin_api_|ntn_|figd_|glsa_|sntrys_|shpat_|shpss_|sbp_|nfp_|ATATT3|PMAK-|AGE-SECRET-KEY-1)[A-Za-z0-9_-]{20,}',
  ],
  ['JSON web token', '\\beyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*'],
]
/** One pass over the text for all of them. */
const KEYS = new RegExp(SERVICES.map(([, form], i) => `(?<s${i}>${form})`).join('|'), 'g')

function nameIn(groups: unknown): string {
  const found = Object.entries(groups as Record<string, string | undefined>).find(
    ([, text]) => text !== undefined,
  )
  return SERVICES[Number(found?.[0].slice(1))]?.[0] ?? 'secret'
}

const IN_URL = /(:\/\/[^\s/:@"'`<>]{0,64}:)(?![$<{[*]|[^\s/@]*redacted)[^\s/@"'`<>]{3,}@/g
const HEADER =
  /\b(bearer|basic|authorization:\s*token)\s+(?=[A-Za-z0-9+/._~-]*[0-9])[A-Za-z0-9+/=._~-]{20,}/gi

const WORDS =
  'passw(?:or)?d|passphrase|pwd|secret|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|token|credential|auth|cookie'
/** `DB_PASSWORD=…`, `"apiKey": "…"`, `--token …`, `client_secret => '…'`. */
const NAMED = new RegExp(
  `((?<![A-Za-z0-9_])(?:--?)?["']?([A-Za-z0-9_.-]{0,40}?(?:${WORDS})[A-Za-z0-9_-]{0,24})\\\\?["']?(?:\\s{0,3}(?:=>|:=|[:=])\\s{0,3}|(?<=--[A-Za-z0-9_-]{0,40})\\s))(\\\\?["'\`]?)([^\\s"'\`,;<>(){}[\\]|&\\\\]{6,})`,
  'gi',
)
const FIELD = new RegExp(WORDS, 'i')
