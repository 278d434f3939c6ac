/**
 * A second corpus of secrets, after the makers' own documentation and grammars: other services, places and
 * sentences than the first. Every value is drawn here; none is or was a real one.
 */

export interface More {
  group: 'form' | 'named' | 'place' | 'prose'
  text: string
  secret: string
}

let seed = 77

function random(below: number): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}

export function drawn(alphabet: string, length: number): string {
  const draw = () => Array.from({ length }, () => alphabet[random(alphabet.length)]).join('')
  let value = draw()
  while (length >= 8 && alphabet.length > 16 && !/\d/.test(value)) value = draw()
  return value
}

const DIGITS = '0123456789'
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
export const hex = (n: number) => drawn(`${DIGITS}abcdef`, n)
export const alnum = (n: number) => drawn(DIGITS + LOWER + UPPER, n)
export const small = (n: number) => drawn(DIGITS + LOWER, n)
export const caps = (n: number) => drawn(DIGITS + UPPER, n)
export const url = (n: number) => drawn(`${DIGITS}${LOWER}${UPPER}_-`, n - 1) + alnum(1)
export const b64 = (n: number) => drawn(`${DIGITS}${LOWER}${UPPER}+/`, n - 1) + alnum(1)
export const num = (n: number) => drawn('123456789', n)
export const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`
export const json64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
export const jwt = () =>
  `${json64({ alg: 'HS256', typ: 'JWT' })}.${json64({ sub: num(8), iat: 1 })}.${url(43)}`

/** As people make them up. */
const WORDS = ['winter', 'Falcon', 'coffee', 'Berlin', 'monkey', 'Sunrise', 'dragon', 'kaktus']
const SIGNS = '!#%&*?@+='
export const password = () =>
  `${WORDS[random(WORDS.length)]}${random(2) ? SIGNS[random(SIGNS.length)] : ''}${num(2 + random(3))}${
    random(2) ? SIGNS[random(SIGNS.length)] : 'x'
  }`
export const strong = () => `${alnum(5)}${SIGNS[random(5)]}${alnum(6)}`

type Make = () => string

/** Known by their form, whatever is around them. */
const FORMS: Record<string, Make> = {
  'GitHub classic': () => `ghp_${alnum(36)}`,
  'GitHub app': () => `ghs_${alnum(36)}`,
  'GitHub fine': () => `github_pat_${alnum(22)}_${alnum(59)}`,
  'GitLab pat': () => `glpat-${url(20)}`,
  'GitLab routable': () => `glpat-${url(27)}.${small(2)}.${small(9)}`,
  'GitLab runner': () => `glrt-${url(20)}`,
  'GitLab feed': () => `glft-${url(20)}`,
  'GitLab scim': () => `glsoat-${url(20)}`,
  'Slack bot': () => `xoxb-${num(12)}-${num(13)}-${alnum(24)}`,
  'Slack app': () => `xapp-1-A${caps(10)}-${num(13)}-${hex(64)}`,
  'Slack hook': () => `https://hooks.slack.com/services/T${caps(8)}/B${caps(10)}/${alnum(24)}`,
  'Stripe live': () => `sk_live_${alnum(24)}`,
  'Stripe long': () => `sk_live_51${alnum(97)}`,
  'Stripe restricted': () => `rk_live_${alnum(24)}`,
  'Stripe hook': () => `whsec_${alnum(32)}`,
  npm: () => `npm_${alnum(36)}`,
  PyPI: () => `pypi-AgEIcHlwaS5vcmc${url(150)}`,
  'Hugging Face': () => `hf_${drawn(LOWER + UPPER + DIGITS, 34)}`,
  DigitalOcean: () => `dop_v1_${hex(64)}`,
  Shopify: () => `shpat_${hex(32)}`,
  'Twilio key': () => `SK${hex(32)}`,
  SendGrid: () => `SG.${url(22)}.${url(43)}`,
  Telegram: () => `${num(10)}:AA${url(33)}`,
  'Discord bot': () => `MT${alnum(24)}.${url(6)}.${url(38)}`,
  'Azure SAS': () =>
    `https://shop.blob.core.windows.net/c?sv=2024-11-04&ss=b&srt=sco&sp=rl&se=2026-12-01T00:00:00Z&sig=${b64(43).replaceAll('+', '%2B').replaceAll('/', '%2F')}%3D`,
  'Azure storage': () =>
    `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${b64(86)}==;EndpointSuffix=core.windows.net`,
  'Azure client secret': () => `${alnum(3)}8Q~${url(34)}`,
  'AWS id': () => `AKIA${drawn('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)}`,
  'AWS temporary': () => `ASIA${drawn('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)}`,
  'AWS session': () => `IQoJb3JpZ2luX2Vj${b64(300)}==`,
  'AWS session older': () => `FwoGZXIvYXdz${b64(280)}=`,
  'Vault service': () => `hvs.${url(90)}`,
  'Vault batch': () => `hvb.${url(140)}`,
  'Doppler personal': () => `dp.pt.${alnum(43)}`,
  'Doppler service': () => `dp.st.prd.${alnum(43)}`,
  Linear: () => `lin_api_${alnum(40)}`,
  'Notion new': () => `ntn_${num(11)}${alnum(35)}`,
  'Notion old': () => `secret_${alnum(43)}`,
  Figma: () => `figd_${url(40)}`,
  'Grafana service': () => `glsa_${alnum(32)}_${hex(8)}`,
  'Grafana cloud': () => `glc_${json64({ o: num(6), n: 'stack', k: alnum(24), m: { r: 'us' } })}`,
  Databricks: () => `dapi${hex(32)}`,
  'Databricks 2': () => `dose${hex(32)}`,
  'Supabase secret': () => `sb_secret_${url(22)}_${alnum(8)}`,
  'Supabase personal': () => `sbp_${hex(40)}`,
  'Cloudflare origin': () => `v1.0-${hex(24)}-${hex(146)}`,
  'Cloudflare user token': () => `cfut_${alnum(40)}${hex(8)}`,
  OpenRouter: () => `sk-or-v1-${hex(64)}`,
  'OpenAI project': () => `sk-proj-${url(74)}T3BlbkFJ${url(74)}`,
  'OpenAI old': () => `sk-${alnum(20)}T3BlbkFJ${alnum(20)}`,
  Anthropic: () => `sk-ant-api03-${url(93)}AA`,
  'Anthropic oauth': () => `sk-ant-oat01-${url(93)}AA`,
  Groq: () => `gsk_${alnum(52)}`,
  xAI: () => `xai-${alnum(80)}`,
  Replicate: () => `r8_${alnum(37)}`,
  Perplexity: () => `pplx-${alnum(48)}`,
  DeepSeek: () => `sk-${hex(32)}`,
  'Gemini key': () => `AIza${url(35)}`,
  'Google oauth': () => `ya29.a0${url(150)}`,
  'Google client': () => `GOCSPX-${url(28)}`,
  'Fireworks key': () => `fw_${alnum(24)}`,
  'Cerebras key': () => `csk-${small(48)}`,
  NVIDIA: () => `nvapi-${url(64)}`,
  Tavily: () => `tvly-dev-${alnum(32)}`,
  'Weights & Biases': () => `wandb_v1_${alnum(77)}`,
  age: () => `AGE-SECRET-KEY-1${drawn('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`,
  JWT: jwt,
  'Sentry org': () => `sntrys_${json64({ iat: 1, url: 'https://sentry.io' })}_${b64(43)}`,
  'Sentry user': () => `sntryu_${hex(64)}`,
  'New Relic user': () => `NRAK-${caps(27)}`,
  'PostHog personal': () => `phx_${alnum(43)}`,
  'Mapbox secret': () => `sk.${json64({ u: 'shop', a: small(24) })}.${url(22)}`,
  Postman: () => `PMAK-${hex(24)}-${hex(34)}`,
  Pulumi: () => `pul-${hex(40)}`,
  Terraform: () => `${alnum(14)}.atlasv1.${url(67)}`,
  Tailscale: () => `tskey-auth-${alnum(11)}CNTRL-${alnum(32)}`,
  Fly: () => `FlyV1 fm2_${b64(180)}`,
  Netlify: () => `nfp_${alnum(36)}`,
  Vercel: () => `vcp_${alnum(56)}`,
  'Heroku new': () => `HRKU-AA${url(58)}`,
  PlanetScale: () => `pscale_tkn_${url(43)}`,
  Neon: () => `napi_${small(64)}`,
  Docker: () => `dckr_pat_${url(27)}`,
  RubyGems: () => `rubygems_${hex(48)}`,
  crates: () => `cio${alnum(32)}`,
  Atlassian: () => `ATATT3xFfGF0${url(171)}=${caps(8)}`,
  Bitbucket: () => `ATBB${alnum(32)}`,
  CircleCI: () => `CCIPAT_${alnum(22)}_${hex(40)}`,
  Buildkite: () => `bkua_${hex(40)}`,
  Sonar: () => `squ_${hex(40)}`,
  Snyk: () => `snyk_uat.${hex(8)}.${url(60)}`,
  Airtable: () => `pat${alnum(14)}.${hex(64)}`,
  HubSpot: () => `pat-na1-${uuid()}`,
  Asana: () => `2/${num(16)}/${num(16)}:${hex(32)}`,
  Dropbox: () => `sl.u.${url(140)}`,
  Mailgun: () => `key-${hex(32)}`,
  'Mailgun new': () => `${hex(32)}-${hex(8)}-${hex(8)}`,
  Mailchimp: () => `${hex(32)}-us21`,
  Resend: () => `re_${alnum(8)}_${alnum(24)}`,
  Brevo: () => `xkeysib-${hex(64)}-${alnum(16)}`,
  Square: () => `EAAA${url(60)}`,
  'PayPal Braintree': () => `access_token$production$${small(16)}$${hex(32)}`,
  Razorpay: () => `rzp_live_${alnum(14)}`,
  Klaviyo: () => `pk_${hex(34)}`,
  Intercom: () => `dG9rOm${b64(54)}=`,
  'Teams webhook': () =>
    `https://shop.webhook.office.com/webhookb2/${uuid()}@${uuid()}/IncomingWebhook/${hex(32)}/${uuid()}`,
  'Discord webhook': () => `https://discord.com/api/webhooks/${num(19)}/${url(68)}`,
  '1Password': () => `ops_eyJ${url(500)}`,
  LangSmith: () => `lsv2_pt_${hex(32)}_${hex(10)}`,
  Langfuse: () => `sk-lf-${uuid()}`,
  Pinecone: () => `pcsk_${alnum(6)}_${alnum(63)}`,
  Dynatrace: () => `dt0c01.${caps(24)}.${caps(64)}`,
  Alibaba: () => `LTAI${alnum(20)}`,
  'Yandex Cloud': () => `AQVN${url(38)}`,
  Infisical: () => `st.${hex(24)}.${hex(32)}.${hex(32)}`,
  ElevenLabs: () => `sk_${hex(48)}`,
  Cursor: () => `crsr_${hex(64)}`,
  'Confluent Cloud': () => `cflt${b64(60)}`,
  'Twitch or unknown maker': () => `acmepay_sk_${alnum(40)}`,
  Prefect: () => `pnu_${alnum(36)}`,
  Unkey: () => `unkey_${alnum(32)}`,
  Retool: () => `retool_01${small(30)}`,
  Clerk: () => `sk_live_${alnum(42)}`,
  WorkOS: () => `sk_live_${b64(40).replace(/[+/]/g, 'a')}`,
  Convex: () => `prod:happy-animal-123|${b64(100)}`,
  Turso: jwt,
  Upstash: () => `AX${b64(60)}==`,
  Hashnode: () => `${uuid()}`,
  Nylas: () => `nyk_v0_${alnum(64)}`,
  Paddle: () => `pdl_live_apikey_01${small(24)}_${alnum(22)}_${alnum(3)}`,
  Polar: () => `polar_oat_${alnum(43)}`,
  Lemon: jwt,
  Tinybird: () => `p.${json64({ u: uuid(), id: uuid(), host: 'eu' })}.${url(43)}`,
  Zapier: () => `https://hooks.zapier.com/hooks/catch/${num(7)}/${small(7)}/`,
  Adafruit: () => `aio_${alnum(28)}`,
  Duffel: () => `duffel_live_${url(43)}`,
  Frameio: () => `fio-u-${url(64)}`,
  Rootly: () => `rootly_${hex(64)}`,
  Authress: () => `sc_${small(6)}.${small(5)}.acc-${small(10)}.${url(50)}`,
  Scalingo: () => `tk-us-${url(48)}`,
  EasyPost: () => `EZAK${alnum(54)}`,
  FlutterWave: () => `FLWSECK_TEST-${hex(32)}-X`,
  Checkout: () => `sk_sbox_${small(26)}`,
  Aikido: () => `AIK_CI_${alnum(64)}`,
  Sourcegraph: () => `sgp_${hex(16)}_${hex(40)}`,
  Ngrok: () => `ak_2${alnum(26)}`,
  Zendesk: () => `${alnum(40)}`,
}

/** Which have no form of their own: they count where a name says what they are. */
const FORMLESS = new Set(['Hashnode', 'Zendesk', 'Upstash', 'Confluent Cloud', 'Mailgun new', 'Klaviyo'])

const AROUND: ((value: string) => string)[] = [
  (v) => `I put ${v} into it and nothing happened`,
  (v) => `{"value":"${v}","ok":true}`,
  (v) => `curl https://api.example.com/v1 -H 'X-Custom: ${v}'`,
  (v) => `错误：${v}，为什么？`,
  (v) => `log line [${v}] 401`,
  (v) => `const t = '${v}'`,
]

type Place = (secret: string) => string

/** Settings of frameworks, shells and tools, each as its own grammar writes it. */
const NAMED: Place[] = [
  (v) => `DB_PASSWORD=${v}`,
  (v) => `export MYSQL_ROOT_PASSWORD='${v}'`,
  (v) => `set -x PGPASSWORD ${v}`,
  (v) => `set -gx API_SECRET "${v}"`,
  (v) => `$env:DB_PASSWORD = "${v}"`,
  (v) => `[Environment]::SetEnvironmentVariable("DB_PASSWORD", "${v}", "User")`,
  (v) => `set DB_PASSWORD=${v}`,
  (v) => `setx DB_PASSWORD "${v}"`,
  (v) => `setenv SMTP_PASSWORD ${v}`,
  (v) => `spring.datasource.password=${v}`,
  (v) => `spring:\n  datasource:\n    username: shop\n    password: ${v}`,
  (v) => `DATABASES = {'default': {'ENGINE': 'x', 'USER': 'shop', 'PASSWORD': '${v}', 'HOST': ''}}`,
  (v) => `SECRET_KEY = 'django-insecure-${v}'`,
  (v) => `EMAIL_HOST_PASSWORD = "${v}"`,
  (v) => `production:\n  adapter: postgresql\n  password: <%= ENV.fetch("X") { "${v}" } %>`,
  (v) => `config.secret_key_base = "${v}"`,
  (v) => `define( 'DB_PASSWORD', '${v}' );`,
  (v) => `define('AUTH_KEY',         '${v}');`,
  (v) => `'password' => env('DB_PASSWORD', '${v}'),`,
  (v) => `$dbpass = "${v}";`,
  (v) => `variable "db_password" {\n  type    = string\n  default = "${v}"\n}`,
  (v) => `provider "x" {\n  user     = "admin"\n  password = "${v}"\n}`,
  (v) => `ansible_become_pass: ${v}`,
  (v) => `ansible_ssh_pass=${v}`,
  (v) => `vars:\n  db_password: "${v}"`,
  (v) => `apiVersion: v1\nkind: Secret\nstringData:\n  password: ${v}\n`,
  (v) => `env:\n  - name: DB_PASSWORD\n    value: "${v}"`,
  (v) => `environment:\n  - POSTGRES_PASSWORD=${v}\n`,
  (v) => `environment:\n  POSTGRES_PASSWORD: ${v}\n`,
  (v) => `ENV DB_PASSWORD=${v}`,
  (v) => `ARG NPM_TOKEN=${v}`,
  (v) => `docker run -e POSTGRES_PASSWORD=${v} postgres`,
  (v) => `docker build --build-arg DB_PASSWORD=${v} .`,
  (v) => `helm install db bitnami/postgresql --set auth.postgresPassword=${v}`,
  (v) => `kubectl create secret generic db --from-literal=password=${v}`,
  (v) => `"ConnectionStrings": { "Main": "Server=db;Database=shop;User Id=sa;Password=${v};" }`,
  (v) => `Server=tcp:db,1433;Initial Catalog=shop;Uid=sa;Pwd=${v};Encrypt=yes`,
  (v) => `<add name="Main" connectionString="Data Source=db;User ID=sa;Password=${v}" />`,
  (v) => `<property name="password" value="${v}"/>`,
  (v) => `<server><id>nexus</id><username>ci</username><password>${v}</password></server>`,
  (v) => `<entry key="db.password">${v}</entry>`,
  (v) => `jdbc:mysql://db:3306/shop?user=shop&password=${v}&useSSL=false`,
  (v) => `host=db port=5432 dbname=shop user=shop password=${v} sslmode=disable`,
  (v) => `//npm.example.org/:_password=${v}`,
  (v) => `//npm.example.org/:_authToken=${v}`,
  (v) => `[pypi]\nusername = __token__\npassword = ${v}`,
  (v) => `aws_secret_access_key = ${v}`,
  (v) => `[client]\nuser=root\npassword=${v}`,
  (v) => `machine api.example.com login shop password ${v}`,
  (v) => `requirepass ${v}`,
  (v) => `var dbPassword string = "${v}"`,
  (v) => `let db_password: &str = "${v}";`,
  (v) => `private static final String DB_PASSWORD = "${v}";`,
  (v) => `private const string DbPassword = "${v}";`,
  (v) => `val dbPassword = "${v}"`,
  (v) => `@password = "${v}"`,
  (v) => `password: str = "${v}"`,
  (v) => `new Pool({ user: 'shop', password: '${v}', host: 'db' })`,
  (v) => `connect(host="db", user="shop", passwd="${v}")`,
  (v) => `auth=("shop", "${v}")`,
  (v) => `requests.get(url, auth=HTTPBasicAuth('shop', '${v}'))`,
  (v) => `mysqli_connect("localhost", "shop", "${v}", "db")`,
  (v) => `new PDO('mysql:host=db', 'shop', '${v}')`,
  (v) => `| user | shop |\n| password | ${v} |`,
  (v) => `- **Password:** \`${v}\``,
  (v) => `Password: ${v}`,
  (v) => `PASSWORD : ${v}`,
  (v) => `"smtp_pass": "${v}"`,
  (v) => `"adminPassword": { "value": "${v}" }`,
  (v) => `--db-password ${v}`,
  (v) => `--password=${v}`,
  (v) => `/password:${v}`,
  (v) => `-Ddb.password=${v}`,
  (v) => `-Password (ConvertTo-SecureString "${v}" -AsPlainText -Force)`,
  (v) => `[redis]\nauth = "${v}"\npassword = "${v}"`,
  (v) => `api_secret: !!str ${v}`,
  (v) => `secretKey: '${v}',`,
  (v) => `client_secret=${v}&grant_type=client_credentials`,
  (v) => `https://api.example.com/hook?access_token=${v}`,
  (v) => `encryptionKey := []byte("${v}")`,
  (v) => `JWT_SECRET: ${v}`,
  (v) => `wifi_password="${v}"`,
]

/** Tools and protocols that take a secret at a place of their own. */
const PLACES: Place[] = [
  (v) => `curl -u shop:${v} https://api.example.com`,
  (v) => `curl --user "shop:${v}" https://api.example.com`,
  (v) => `curl -sSL -u 'shop:${v}' -X POST https://api.example.com`,
  (v) => `wget --user=shop --password=${v} https://example.com/x`,
  (v) => `http -a shop:${v} GET https://api.example.com`,
  (v) => `mysql -h db -u root -p${v} shop`,
  (v) => `mysqldump --user=root --password=${v} shop > x.sql`,
  (v) => `PGPASSWORD=${v} psql -h db -U shop`,
  (v) => `PGPASSWORD='${v}' pg_dump shop`,
  (v) => `MYSQL_PWD=${v} mysql -u root`,
  (v) => `sshpass -p '${v}' ssh root@10.0.0.5`,
  (v) => `sshpass -p${v} scp a b:`,
  (v) => `redis-cli -h cache -a ${v} ping`,
  (v) => `redis://:${v}@cache:6379/0`,
  (v) => `rediss://default:${v}@eu1-cache.upstash.io:6379`,
  (v) => `postgres://shop:${encodeURIComponent(v)}@db:5432/shop?sslmode=require`,
  (v) => `postgresql+asyncpg://shop:${encodeURIComponent(v)}@db/shop`,
  (v) => `mongodb+srv://shop:${encodeURIComponent(v)}@cluster0.abcde.mongodb.net/shop`,
  (v) => `amqp://shop:${encodeURIComponent(v)}@mq:5672/vhost`,
  (v) => `mysql://shop:${encodeURIComponent(v)}@db/shop`,
  (v) => `smtp://shop%40example.com:${encodeURIComponent(v)}@smtp.example.com:587`,
  (v) => `ftp://shop:${encodeURIComponent(v)}@files.example.com/x`,
  (v) => `git clone https://shop:${encodeURIComponent(v)}@git.example.com/a/b.git`,
  (v) => `docker login -u shop -p ${v} registry.example.com`,
  (v) => `echo ${v} | docker login -u shop --password-stdin`,
  (v) => `echo "${v}" | sudo -S apt update`,
  (v) => `echo 'root:${v}' | chpasswd`,
  (v) => `useradd -m bob && echo "bob:${v}" | sudo chpasswd`,
  (v) => `db:5432:shop:shop:${v}`,
  (v) => `*:*:*:postgres:${v}`,
  (v) => `CREATE USER shop IDENTIFIED BY '${v}';`,
  (v) => `ALTER USER 'root'@'localhost' IDENTIFIED WITH mysql_native_password BY '${v}';`,
  (v) => `CREATE ROLE shop LOGIN PASSWORD '${v}';`,
  (v) => `ALTER ROLE shop WITH ENCRYPTED PASSWORD '${v}';`,
  (v) => `CREATE LOGIN shop WITH PASSWORD = '${v}';`,
  (v) => `GRANT ALL ON shop.* TO 'shop'@'%' IDENTIFIED BY '${v}';`,
  (v) => `SET PASSWORD FOR 'shop'@'%' = PASSWORD('${v}');`,
  (v) => `db.createUser({ user: "shop", pwd: "${v}", roles: [] })`,
  (v) => `mongosh --username shop --password ${v} db`,
  (v) => `sqlcmd -S db -U sa -P ${v}`,
  (v) => `sqlplus shop/${v}@//db:1521/XE`,
  (v) => `ldapsearch -x -D cn=admin -w ${v} -b dc=x`,
  (v) => `smbclient //srv/share -U 'shop%${v}'`,
  (v) => `net use z: \\\\srv\\share ${v} /user:shop`,
  (v) => `mount -t cifs //srv/s /mnt -o username=shop,password=${v}`,
  (v) => `xfreerdp /v:host /u:shop /p:${v}`,
  (v) => `openssl pkcs12 -in a.p12 -passin pass:${v} -nodes`,
  (v) => `openssl enc -aes-256-cbc -k ${v} -in a`,
  (v) => `gpg --batch --passphrase '${v}' -c file`,
  (v) => `keytool -genkey -keystore k.jks -storepass ${v} -alias a`,
  (v) => `zip -P ${v} out.zip in`,
  (v) => `7z a -p${v} out.7z in`,
  (v) => `unrar x -p${v} a.rar`,
  (v) => `htpasswd -b .htpasswd shop ${v}`,
  (v) => `az login --service-principal -u app -p ${v} --tenant t`,
  (v) => `oc login https://api -u shop -p ${v}`,
  (v) => `vault login -method=userpass username=shop password=${v}`,
  (v) => `vault kv put secret/shop password=${v}`,
  (v) => `vault write auth/userpass/users/shop password="${v}"`,
  (v) => `gh secret set DB_PASSWORD --body "${v}"`,
  (v) => `aws secretsmanager create-secret --name db --secret-string "${v}"`,
  (v) => `aws ssm put-parameter --name /db/password --type SecureString --value "${v}"`,
  (v) => `aws rds modify-db-instance --master-user-password ${v}`,
  (v) => `gcloud sql users set-password shop --instance=x --password=${v}`,
  (v) => `heroku config:set DB_PASSWORD=${v}`,
  (v) => `fly secrets set DB_PASSWORD=${v}`,
  (v) => `nmcli dev wifi connect home password ${v}`,
  (v) => `network={\n  ssid="home"\n  psk="${v}"\n}`,
  (v) => `net user shop ${v} /add`,
  (v) => `passwd: ${v}`,
  (v) => `expect "Password:" { send "${v}\\r" }`,
  (v) => `New-Object System.Net.NetworkCredential("shop", "${v}")`,
  (v) => `Authorization: Basic ${Buffer.from(`shop:${v}`).toString('base64')}`,
  (v) => `-H "Authorization: Basic ${Buffer.from(`shop:${v}`).toString('base64')}"`,
  (v) =>
    `{"auths":{"https://index.docker.io/v1/":{"auth":"${Buffer.from(`shop:${v}`).toString('base64')}"}}}`,
  (v) =>
    `IEX (New-Object Net.WebClient).DownloadString("https://shop:${encodeURIComponent(v)}@example.com/x")`,
  (v) => `rsync --password-file=<(echo ${v}) a b::c`,
  (v) => `lftp -u shop,${v} sftp://h`,
  (v) => `ftp> user shop ${v}`,
  (v) => `mosquitto_sub -h mq -u shop -P ${v} -t '#'`,
  (v) => `influx -username admin -password ${v}`,
  (v) => `psql "host=db user=shop password=${v}"`,
  (v) => `snowsql -a acct -u shop --password '${v}'`,
  (v) => `su - shop <<< "${v}"`,
]

const TOKENS: Place[] = [
  (v) => `Authorization: Bearer ${v}`,
  (v) => `authorization: token ${v}`,
  (v) => `-H 'PRIVATE-TOKEN: ${v}'`,
  (v) => `-H "X-Vault-Token: ${v}"`,
  (v) => `X-Api-Key: ${v}`,
  (v) => `x-goog-api-key: ${v}`,
  (v) => `Ocp-Apim-Subscription-Key: ${v}`,
  (v) => `api-key: ${v}`,
  (v) => `X-Auth-Token: ${v}`,
  (v) => `Cookie: sessionid=${v}; theme=dark`,
  (v) => `Set-Cookie: session=${v}; Path=/; HttpOnly`,
  (v) => `Cookie: PHPSESSID=${v}`,
  (v) => `fetch(u, { headers: { Authorization: \`Bearer ${v}\` } })`,
  (v) => `headers={"Authorization": "Token ${v}"}`,
  (v) => `headers: { 'X-API-Key': '${v}' }`,
  (v) => `OPENAI_API_KEY=${v}`,
  (v) => `MISTRAL_API_KEY=${v}`,
  (v) => `COHERE_API_KEY: ${v}`,
  (v) => `export CLOUDFLARE_API_TOKEN=${v}`,
  (v) => `CF_API_KEY=${v}`,
  (v) => `TWILIO_AUTH_TOKEN="${v}"`,
  (v) => `VAULT_TOKEN=${v}`,
  (v) => `DATADOG_API_KEY=${v}`,
  (v) => `DD_APP_KEY: ${v}`,
  (v) => `ALGOLIA_ADMIN_KEY=${v}`,
  (v) => `"subscriptionKey": "${v}"`,
  (v) => `AZURE_OPENAI_KEY=${v}`,
  (v) => `AWS_SECRET_ACCESS_KEY=${v}`,
  (v) => `AWS_SESSION_TOKEN=${v}`,
  (v) => `"SecretAccessKey": "${v}"`,
  (v) => `apiKey="${v}"`,
  (v) => `?api_key=${v}&q=x`,
  (v) => `--token ${v}`,
  (v) => `--api-key=${v}`,
  (v) => `kubeadm join 10.0.0.1:6443 --token ${v}`,
  (v) => `users:\n- name: admin\n  user:\n    token: ${v}`,
  (v) => `    client-key-data: ${v}`,
  (v) => `"private_key_id": "x", "client_secret": "${v}"`,
  (v) => `webhook_secret = "${v}"`,
  (v) => `signing_secret: ${v}`,
  (v) => `"refresh_token":"${v}"`,
  (v) => `"id_token": "${v}"`,
  (v) => `NEXTAUTH_SECRET=${v}`,
  (v) => `SENTRY_AUTH_TOKEN=${v}`,
  (v) => `.setApiKey("${v}")`,
  (v) => `OpenAI(api_key="${v}")`,
  (v) => `new Client({ auth: "${v}" })`,
  (v) => `stripe.api_key = '${v}'`,
  (v) => `s3cmd --access_key=x --secret_key=${v}`,
  (v) => `mc alias set m https://s3 shop ${v} --api s3v4`,
  (v) => `gitlab_token: "${v}"`,
  (v) => `"x-functions-key": "${v}"`,
  (v) => `WEBHOOK_SIGNING_KEY=${v}`,
]

/** What people write to each other and to their assistants. */
const PROSE: Place[] = [
  (v) => `the password for the staging db is ${v}`,
  (v) => `my password is ${v}, can you log in?`,
  (v) => `use ${v} as the password`,
  (v) => `please set the admin password to ${v}`,
  (v) => `I changed the root password to ${v} yesterday`,
  (v) => `login with admin / ${v}`,
  (v) => `creds: admin:${v}`,
  (v) => `user: admin, pass: ${v}`,
  (v) => `username admin password ${v}`,
  (v) => `Here's the wifi password: ${v}`,
  (v) => `pw is ${v} btw`,
  (v) => `the new pw: ${v}`,
  (v) => `it asks for the passphrase, which is ${v}`,
  (v) => `password = ${v}, user = root`,
  (v) => `The secret is "${v}".`,
  (v) => `the api key you need is ${v}`,
  (v) => `and the token would be ${v}`,
  (v) => `You can sign in using the password ${v}.`,
  (v) => `Log in as bob with password ${v}`,
  (v) => `PIN and password: 4321 and ${v}`,
  (v) => `the password would be ${v}`,
  (v) => `its password, ${v}, is wrong`,
  (v) => `Password (${v}) does not work`,
  (v) => `${v} is the password for the box`,
  (v) => `I set the database password to "${v}" and restarted`,
  (v) => `try password ${v} instead`,
  (v) => `ssh password -> ${v}`,
  (v) => `My login is bob and my password is ${v}`,
  (v) => `the credentials are bob / ${v}`,
  (v) => `we use the same password everywhere: ${v}`,
  (v) => `das Passwort ist ${v}`,
  (v) => `Ich habe das Passwort auf ${v} gesetzt`,
  (v) => `das neue Datenbankpasswort: ${v}`,
  (v) => `PW: ${v}`,
  (v) => `hier das Passwort: ${v}`,
  (v) => `Passwort lautet wie folgt: ${v}`,
  (v) => `Das Kennwort für den Server lautet ${v}`,
  (v) => `mein Passwort: ${v}`,
  (v) => `bitte ändere das Passwort auf ${v}`,
  (v) => `Zugangsdaten: admin / ${v}`,
  (v) => `Melde dich mit admin und dem Passwort ${v} an`,
  (v) => `Benutzer admin, Passwort ${v}`,
  (v) => `das WLAN-Passwort ist ${v}`,
  (v) => `nimm ${v} als Passwort`,
  (v) => `der API-Schlüssel lautet ${v}`,
  (v) => `пароль от базы ${v}`,
  (v) => `пароль: ${v}`,
  (v) => `пароль такой: ${v}`,
  (v) => `я поставил пароль ${v}`,
  (v) => `Пароль администратора — ${v}`,
  (v) => `пароль у меня ${v}`,
  (v) => `${v} это пароль от роутера`,
  (v) => `доступы: root / ${v}`,
  (v) => `мой пароль ${v}, зайди сам`,
  (v) => `поменяй пароль на ${v}`,
  (v) => `логин admin, пароль ${v}`,
  (v) => `логин/пароль: admin/${v}`,
  (v) => `используй ${v} как пароль`,
  (v) => `вот токен: ${v}`,
  (v) => `ключ от апи — ${v}`,
  (v) => `зайди под admin с паролем ${v}`,
  (v) => `密码是${v}`,
  (v) => `密码设置为${v}`,
  (v) => `默认密码为 ${v}`,
  (v) => `密码就是${v}`,
  (v) => `登录密码${v}`,
  (v) => `初始密码：${v}，请修改`,
  (v) => `数据库密码：${v}`,
  (v) => `我的密码是 ${v}，帮我登录`,
  (v) => `请把密码改成${v}`,
  (v) => `用户名 admin 密码 ${v}`,
  (v) => `账号：admin 密码：${v}`,
  (v) => `管理员口令为${v}`,
  (v) => `用${v}作为密码`,
  (v) => `API密钥是${v}`,
  (v) => `令牌：${v}`,
]

/** Begins to draw again: the same values each time. */
export function drawFrom(start: number): void {
  seed = start
}

export function moreCorpus(): More[] {
  drawFrom(77)
  const lines: More[] = []
  const add = (group: More['group'], secret: string, text: string) => lines.push({ group, secret, text })
  for (const [name, make] of Object.entries(FORMS)) {
    if (FORMLESS.has(name)) continue
    for (let n = 0; n < 3; n++) {
      const value = make()
      add('form', lastPart(value), AROUND[random(AROUND.length)]!(value))
    }
  }
  for (const place of NAMED) for (const value of [password(), strong()]) add('named', value, place(value))
  for (const place of PLACES)
    for (const value of [password(), strong()]) {
      const text = place(value)
      add('place', shownIn(text, value), text)
    }
  for (const place of TOKENS) for (const value of [alnum(40), hex(32)]) add('named', value, place(value))
  for (const place of PROSE)
    for (const value of [password(), strong(), alnum(20)]) add('prose', value, place(value))
  return lines
}

/** Of an address, what is secret in it. */
function lastPart(value: string): string {
  return /sig=(.+)$/.exec(value)?.[1] ?? /AccountKey=([^;]+)/.exec(value)?.[1] ?? value.split(/[ |]/).at(-1)!
}

function shownIn(text: string, value: string): string {
  if (text.includes(value)) return value
  if (text.includes(encodeURIComponent(value))) return encodeURIComponent(value)
  return Buffer.from(`shop:${value}`).toString('base64').replace(/=+$/, '')
}
