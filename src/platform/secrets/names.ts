/** What a name says about its value: `DB_PASSWORD`, `clientSecret`, `X-Api-Key`. */
export type NameStrength =
  /** A password: hardly anything but one is the value, and people make them up. */
  | 'password'
  /** A key, secret or token: hardly anything but one is the value, and it was drawn. */
  | 'key'
  /** It may be a secret: only a value that was plainly drawn counts. */
  | 'maybe'
  | undefined

const PASSWORDS =
  'password|passwd|passwrd|passphrase|passcode|passwort|kennwort|contrasena|wachtwoord|senha|pass|pwd|psk|userpassword'
const PASSWORD = new RegExp(`^(?:${PASSWORDS}|pw|passwords|pgpass|cleartextpassword)$`)
/** Written together with what it is for: `PGPASSWORD`, `rootpass`, `sshpass`. */
const PASSWORD_END =
  /^(?:requirepass|masterauth|bindpw|rootpw)$|(?:password|passwd|passphrase|passcode)$|^(?:store|key|ssh|db|root|become|trust|user|bind|smtp|ftp|wifi|vnc|master)(?:pass|pwd|pw)$/
const SECRET_END =
  /(?:secret|secrets|apikey|secretkey|accesskey|privatekey|authtoken|accesstoken|apitoken|credentials?|presharedkey|sharedkey|signingkey|encryptionkey|passkey|authkey|licensekey)$/

/** A key of one of these is a secret. */
const KEY_OF = new Set(
  'api access account private signing sign encryption encrypt crypto cipher aes hmac master shared secret storage app application auth license service admin deploy server subscription functions function webhook client session cookie jwt preshared security integration ingest write rest management data sdk backup recovery wallet mnemonic validator vapid openai azure anthropic claude gemini groq mistral cohere deepseek together algolia stripe twilio sendgrid mailgun postmark pinecone qdrant weaviate tavily serper exa google maps youtube aws gcp s3 cloudinary pusher segment hubspot intercom zendesk shodan virustotal etherscan infura alchemy binance coinbase openrouter perplexity elevenlabs deepgram assemblyai replicate huggingface datadog newrelic sentry pagerduty bugsnag rollbar launchdarkly firebase supabase grafana elastic kibana meilisearch typesense jira linear notion airtable'.split(
    ' ',
  ),
)
/** A key of one of these is only a name for something. */
const NO_KEY_OF = new Set(
  'public primary foreign sort partition cache hash range idempotency dedupe translation row object group feature config locale index map composite natural surrogate unique candidate lookup query hot short arrow react list item storage-key dict json header env dark press state column field prop event metric tag label i18n message sitekey site publishable host bucket routing'.split(
    ' ',
  ),
)
/** Tokens that give access. */
const TOKEN_OF = new Set(
  'access auth authentication authorization refresh bearer bot session id api oauth oauth2 deploy service personal user admin account app client private secret security web registry publish upload runner job trigger ci circle circleci vercel github gh gitlab npm pypi hf huggingface slack vault consul nomad discord telegram cloudflare cf do digitalocean linode hcloud heroku fly netlify render railway sentry datadog dd codecov snyk sonar terraform tfe pulumi databricks snowflake dbt airtable notion linear jira figma ngrok mapbox shopify square twilio sendgrid postmark replicate cohere mistral twine cargo docker nuget gem buildkite travis drone jenkins argocd kube k8s cluster join node root master device reset invite login verification magic share signed temporary temp ssh git grafana influx influxdb pushover telegram line webhook jwt x-auth'.split(
    ' ',
  ),
)
/** Tokens that only say where a list goes on, or how a text is cut. */
const NO_TOKEN_OF = new Set(
  'page nextpage next prev previous continuation continue sync cursor change watch skip stop start end special pad eos bos unk mask sep cls unexpected design color cancellation cancel lex lexer parser syntax max min total input output prompt completion cached num first last current sub bpe'.split(
    ' ',
  ),
)

/** Behind a secret's name, these say only which of several it is. */
const WHICH = new Set(
  'prod production dev development staging stage test testing live admin root old new current previous value plain plaintext clear cleartext raw b64 base64 default primary secondary main backup local user db s str string text data env var 1 2 3'.split(
    ' ',
  ),
)
/** Names that end so only speak of secrets: how many, how long, where they are kept. */
const ABOUT = new Set(
  `count length limit policy column endpoint expiry expires expiration expire expired rule rules schema hash hashes label title placeholder index usage
  author authority authors izer tokenizer tokens enabled disabled required optional prompt input reset manager provider providers store storage header headers field fields
  len size min max type types name names ref refs path paths file files hint url uri ttl id ids form kind at in by on version versions service services
  timeout interval rotation strength validator validation valid invalid check checks error errors message messages msg regex pattern format mode method methods
  changed updated created date time age days seconds hours status state helper utils util generator factory builder handler callback middleware guard strategy plugin
  module class interface enum key_id keyid alias algorithm alg cost rounds salt iterations chars characters charset alphabet encoding encoder decoder
  bucket budget price rate cache screen page view dialog modal button link icon form row table list map set array ring chain word words phrase
  manager management sharing scanning scanner detection engine group groups scope scopes permission permissions role roles owner user username email
  issuer audience subject domain host port prefix suffix template example sample docs doc info description desc text placeholder confirm confirmation visible visibility
  hidden shown toggle toggled protected protection required less free based like ed er ing socket sock addr address`.split(
    /\s+/,
  ),
)
/** …unless nothing but a secret is in it. */
const NOT_ABOUT = /^(?:secret|private|access|api)[_-]?key[_-]?(?:base|data|value)$/

/** The same few names come again and again. */
const known = new Map<string, NameStrength>()
const MOST_KNOWN = 2_000

export function strengthOf(name: string): NameStrength {
  if (known.has(name)) return known.get(name)
  if (known.size >= MOST_KNOWN) known.clear()
  const strength = judge(name)
  known.set(name, strength)
  return strength
}

function judge(name: string): NameStrength {
  const words = wordsIn(name)
  while (words.length > 1 && WHICH.has(words.at(-1) as string)) words.pop()
  const last = words.at(-1)
  if (last === undefined) return undefined
  const before = words.at(-2) ?? ''
  if (words.some((word, i) => i < words.length - 1 && word === 'no')) return undefined
  if (PASSWORD.test(last) || PASSWORD_END.test(last)) return 'password'
  if (NOT_ABOUT.test(name.toLowerCase())) return 'key'
  if (last === 'key' || last === 'keys') return keyStrength(before, name)
  if (last === 'token') return tokenStrength(before)
  if (SECRET_END.test(last)) return 'key'
  if (last === 'base' && before === 'key') return 'key'
  if (last === 'data' && before === 'key') return 'key'
  if (ABOUT.has(last)) return undefined
  if (
    /^(?:token|auth|authorization|cookie|cookies|session|sessionid|phpsessid|sid|jwt|pat|signature|sig|dsn|bearer|otp|totp|seed|mnemonic|license|jsessionid|connectionstring|xsrf|csrf)$/.test(
      last,
    )
  ) {
    return 'maybe'
  }
  if (/token$/.test(last)) return 'key'
  return words.some((word) => PASSWORD.test(word) && word.length > 4) ? 'maybe' : undefined
}

/** Also for what is one of several: `cookies: [{ name: 'session', … }]`. */
function wordsIn(name: string): string[] {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
  return words.split(/^[\x00-\x7f]*$/.test(words) ? /[^a-z0-9]+/ : /[^\p{L}\p{N}]+/u).filter(Boolean)
}

export function isCapitals(name: string): boolean {
  return /^[^a-z]*[A-Z][^a-z]*$/.test(name)
}

function keyStrength(before: string, name: string): NameStrength {
  if (NO_KEY_OF.has(before)) return undefined
  if (KEY_OF.has(before) || /(?:api|access|secret|private)$/.test(before)) return 'key'
  return before === '' && !/^X-|^key$/i.test(name) ? undefined : 'maybe'
}

function tokenStrength(before: string): NameStrength {
  if (NO_TOKEN_OF.has(before)) return undefined
  return TOKEN_OF.has(before) ? 'key' : 'maybe'
}
