/**
 * Keys that are known by their form, wherever they are: how each begins, and what follows. From
 * the makers' documentation; a new service is one more row.
 *
 * In `tail`, every repetition has an upper bound: a rule whose cost grows with the square of the
 * text would let one message hang every answer.
 */
export interface Form {
  kind: string
  /** The letters by which it is noticed. */
  literal: string
  /** What follows them. */
  tail: string
  /** What comes before them, where the literal is in the middle: at most 100 characters. */
  before?: string
  /** At least so many characters come before: a glance there spares the rest. */
  least?: number
  /** The form alone is proof: what follows need not look random. */
  sure?: true
}

const A = '[A-Za-z0-9]'
const W = '[A-Za-z0-9_-]'
const H = '[0-9a-f]'
const B = '[A-Za-z0-9+/]'

const row = (kind: string, literals: string, tail: string): Form[] =>
  literals.split(' ').map((literal) => ({ kind, literal, tail }))

const sure = (kind: string, literals: string, tail: string): Form[] =>
  row(kind, literals, tail).map((form) => ({ ...form, sure: true }))

const around = (kind: string, literal: string, before: string, tail: string, least = 3): Form[] => [
  { kind, literal, before, tail, least },
]

export const FORMS: Form[] = [
  // Clouds and hosting
  ...row('AWS key', 'AKIA ASIA ABIA ACCA', '[A-Z0-9]{16}(?![A-Za-z0-9])'),
  ...row('AWS key', 'ABSK bedrock-api-key-', `${B}{40,400}={0,2}`),
  ...row('AWS key', 'IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz', `${B}{100,2000}={0,2}`),
  ...row('Google key', 'AIza', `${W}{30,60}`),
  ...row('Google key', 'GOCSPX- ya29. AQ.Ab', `${W}{20,600}`),
  ...row('Google key', '1//0', `${W}{30,200}`),
  ...around('Azure key', '8Q~', '[A-Za-z0-9_~.]{3}', '[A-Za-z0-9_~.-]{30,40}'),
  ...around('Azure key', '7Q~', '[A-Za-z0-9_~.]{3}', '[A-Za-z0-9_~.-]{30,40}'),
  ...around('Azure key', 'AZDO', `${A}{70,90}`, `${A}{4}(?!${A})`),
  ...[
    'JQQJ9',
    'AzFu',
    'AzSe',
    'AzCa',
    '+ABa',
    '+AMC',
    '+ASt',
    '+ACR',
    'ACDb',
    'AIoT',
    'APIM',
    '+ASb',
    '+AEh',
  ].flatMap((mark) =>
    around('Azure key', mark, '[A-Za-z0-9+/_-]{28,90}', `[A-Za-z0-9+/_-]{5,40}={0,2}(?!${A})`),
  ),
  ...row('DigitalOcean token', 'dop_v1_ doo_v1_ dor_v1_', `${H}{40,80}`),
  ...row('Alibaba key', 'LTAI', `${A}{12,26}(?!${A})`),
  ...row('Tencent key', 'AKID', `${A}{30,40}(?!${A})`),
  ...row('Yandex key', 'AQVN y0_Ag', `${W}{30,60}`),
  ...row('Yandex key', 't1.9eu', '[A-Za-z0-9_.-]{40,400}={0,2}'),
  ...row('Yandex key', 't1.', `${W}{40,400}\\.${W}{60,120}={0,2}`),
  ...row('Yandex key', 'YCA', `${W}{36,37}(?!${W})`),
  ...row('VK token', 'vk1.a.', `${W}{40,300}`),
  ...row('Volcengine key', 'AKLT', `${A}{30,60}={0,2}`),
  ...row('Baidu key', 'bce-v3/ALTAK-', `[A-Za-z0-9/]{30,100}`),
  ...row('Heroku key', 'HRKU-', `${W}{36,80}`),
  ...row('Cloudflare key', 'v1.0-', `${H}{24}-${H}{100,160}`),
  ...sure('Fly token', 'fm2_ fm1r_ fm1a_ fo1_', `[A-Za-z0-9+/=_,-]{30,1200}`),
  ...row('Netlify token', 'nfp_ nfc_ nfo_ nfu_ nfb_', `${A}{30,60}`),
  ...row('Vercel token', 'vcp_ vca_ vci_ vcr_ vck_', `${A}{20,80}`),
  ...row('Supabase key', 'sbp_ sb_secret_', `${W}{20,80}`),
  ...row('PlanetScale token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', '[A-Za-z0-9_.-]{30,70}'),
  ...row('Neon key', 'napi_', `${A}{30,80}`),
  ...row('Render key', 'rnd_', `${A}{20,60}`),
  ...row('Scaleway key', 'SCW', '[A-Z0-9]{17}(?![A-Za-z0-9])'),
  ...row('Databricks token', 'dapi dose dkea', `${H}{32}(?:-\\d)?(?!${A})`),
  ...row('Dynatrace token', 'dt0c01. dt0s16. dt0s01.', '[A-Z0-9]{8,24}\\.[A-Z0-9]{50,70}'),
  ...around('Terraform token', '.atlasv1.', `${A}{10,20}`, `${W}{50,80}`),
  ...row('Vault token', 'hvs. hvb. hvr.', `${W}{20,300}`),
  ...row(
    'Doppler token',
    'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.',
    '(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}',
  ),
  ...row('Pulumi token', 'pul-', `${H}{40}(?!${A})`),
  ...row(
    'Tailscale key',
    'tskey-auth- tskey-api- tskey-client- tskey-scim- tskey-webhook-',
    '[A-Za-z0-9-]{20,80}',
  ),
  ...sure('1Password token', 'ops_eyJ', `${W}{100,2000}={0,2}`),
  ...row('1Password key', 'A3-', '[A-Z0-9]{6}-[A-Z0-9]{5,11}-(?:[A-Z0-9]{5}-?){3,5}'),
  ...row('OpenShift token', 'sha256~', `${W}{43}(?!${W})`),
  ...row('Infracost key', 'ico-', `${A}{32}(?!${A})`),
  ...row('Prefect key', 'pnu_ pnb_', `${A}{30,50}`),
  ...row('Octopus key', 'API-', '[A-Z0-9]{25,32}(?![A-Za-z0-9])'),

  ...row('Cloudflare key', 'cfut_ cfat_ cfk_', `${W}{30,80}`),
  ...row('Upcloud token', 'ucat_', `${A}{20,40}`),
  ...row('Scalingo token', 'tk-us- tk-eu-', `${W}{48}(?!${W})`),
  ...row('Infisical token', 'st.', `${H}{24}\\.${H}{32}\\.${H}{32}`),
  ...around('Convex key', '|', '(?:prod|dev|preview|project):[a-z0-9-]{5,60}', `[A-Za-z0-9+/_=-]{40,400}`),
  ...row('Aiven password', 'AVNS_', `${W}{14,40}`),
  ...row('Atlas secret', 'mdb_sa_sk_', `${W}{30,60}`),
  ...row('Xata key', 'xau_', `${A}{20,60}`),
  ...row('Deno token', 'ddp_ ddo_ ddw_', `${A}{30,50}`),
  ...row('Vercel token', 'vercel_blob_rw_', `${A}{10,30}_${A}{20,60}`),
  ...row('Elastic key', 'essu_', `${B}{30,120}={0,2}`),

  // Code and packages
  ...row('GitHub token', 'ghp_ gho_ ghu_ ghs_ ghr_', `${A}{20,255}`),
  ...row('GitHub token', 'github_pat_', '[A-Za-z0-9_]{20,255}'),
  ...row(
    'GitLab token',
    'glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt-',
    '[A-Za-z0-9_.-]{16,320}',
  ),
  ...row('GitLab token', 'GR1348941', `${W}{20,30}`),
  ...row('npm token', 'npm_', `${A}{30,60}`),
  ...sure('PyPI token', 'pypi-AgE pypi-AgN', `${W}{50,400}`),
  ...row('RubyGems key', 'rubygems_', `${H}{40,60}`),
  ...row('crates.io token', 'cio', `${A}{32}(?!${A})`),
  ...row('NuGet key', 'oy2', '[a-z0-9]{43}(?![A-Za-z0-9])'),
  ...row('Docker token', 'dckr_pat_ dckr_oat_', `${W}{20,60}`),
  ...row('Clojars token', 'CLOJARS_', `${H}{60}`),
  ...row('Bitbucket token', 'ATBB', `${A}{24,60}`),
  ...row('Atlassian token', 'ATATT3 ATCTT3 ATSTT3 ATTA', `[A-Za-z0-9_=-]{50,300}`),
  ...row('Artifactory key', 'AKCp cmVmdGtu', `${A}{40,80}`),
  ...row('Sonar token', 'sqp_ squ_ sqa_', `${H}{40}(?!${A})`),
  ...row('CircleCI token', 'CCIPAT_ CCIPRJ_', `${A}{20,24}_${H}{40}`),
  ...row('Buildkite token', 'bkua_ bkaj_ bkct_', `${A}{30,60}`),
  ...row('Sourcegraph token', 'sgp_ sgd_ slk_', '(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40,64}'),
  ...row('Postman key', 'PMAK- PMAT-', `[A-Za-z0-9-]{26,80}`),
  ...row('Snyk token', 'snyk_uat. snyk_sat.', '[A-Za-z0-9_.-]{30,200}'),
  ...row('Harness token', 'pat. sat.', `${W}{20,24}\\.${H}{24}\\.${A}{16,24}`),
  ...row('WakaTime key', 'waka_', `${H}{8}-(?:${H}{4}-){3}${H}{12}`),
  ...row('Contentful token', 'CFPAT-', `${W}{40,50}`),

  ...row('GitPod token', 'gitpod_pat_', '[A-Za-z0-9_.]{30,120}'),
  ...row('dbt token', 'dbtu_ dbtc_', `${W}{30,60}`),
  ...row('JSR token', 'jsrp_', `${A}{30,60}`),
  ...row('Chromatic token', 'chpt_', `${A}{12,30}`),
  ...row('Percy token', 'web_ app_ auto_ ss_', `${H}{64}(?!${A})`),
  ...row('Honeycomb key', 'hcaik_ hcxik_ hcxlk_ hcalk_ hcbik_', `${A}{30,80}`),
  ...row('Val Town token', 'vtwn_', `${A}{20,60}`),
  ...row('Ngrok key', 'ak_2', `${A}{25,50}`),
  ...around('Ngrok token', '_', '(?<![0-9A-Za-z])[12][0-9A-Za-z]{26}', `${A}{18,24}(?!${A})`, 27),
  ...row(
    'Authress key',
    'sc_ ext_ scauth_ authress_',
    `[a-z0-9]{4,30}\\.[a-z0-9]{4,6}\\.acc[_-][a-z0-9-]{10,32}\\.[A-Za-z0-9+/_=-]{30,120}`,
  ),
  ...row('Aikido token', 'AIK_CI_ AIK_RUNTIME_', `${A}{30,90}`),

  // Models
  ...row('API key', 'sk-ant-', `${W}{24,400}`),
  ...row(
    'API key',
    'sk-proj- sk-svcacct- sk-admin- sk-or- sk-lf- pk-lf- sk-live- sk-test- rk- sess-',
    `${W}{20,400}`,
  ),
  ...row('API key', 'sk-', `${W}{20,400}`),
  ...row('API key', 'sk_', `(?:live|test|prod|dev|car)?_?${W}{22,120}`),
  ...row('Modal token', 'ak- as-', `${A}{22}(?!${W})`),
  ...row('Dify key', 'app- dataset-', `(?=[a-z0-9]{0,23}[A-Z])${A}{24}(?!${W})`),
  ...row(
    'API key',
    'gsk_ xai- pplx- r8_ tvly- nvapi- csk- jina_ fw_ e2b_ apify_api_ ctx7sk- bb_live_ lmnr_ rpa_ tgp_v1_',
    `${W}{20,120}`,
  ),
  ...row('API key', 'pa- fc- m0- crsr_ key_ BSA', `${W}{27,100}`),
  ...row('Hugging Face token', 'hf_ api_org_', `${A}{30,60}`),
  ...row('LangSmith key', 'lsv2_pt_ lsv2_sk_ ls__', `[A-Za-z0-9_]{32,80}`),
  ...row('Pinecone key', 'pcsk_', `[A-Za-z0-9_]{50,90}`),
  ...row('wandb key', 'wandb_v1_', `${W}{30,120}`),
  ...around('Zhipu key', '.', `(?<![0-9a-f])${H}{32}`, `${A}{16}(?!${A})`, 32),

  // Talk and mail
  ...row(
    'Slack token',
    'xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxd- xoxe- xoxe.xoxb- xoxe.xoxp-',
    '[A-Za-z0-9%/+-]{10,400}',
  ),
  ...row('Slack token', 'xapp-', '\\d-[A-Za-z0-9-]{20,160}'),
  ...row('Telegram token', ':AA', `${W}{32,36}(?!${W})`).map((form) => ({
    ...form,
    before: '(?:bot)?[0-9]{8,10}',
  })),
  ...around('Discord token', '.', '[MNO][A-Za-z0-9_-]{22,28}', `${W}{6}\\.${W}{27,48}`, 23),
  ...row('Discord token', 'mfa.', `${W}{80,90}`),
  ...row('SendGrid key', 'SG.', `${W}{16,32}\\.${W}{16,64}`),
  ...row('Twilio key', 'SK', `${H}{32}(?!${A})`),
  ...row('Mailgun key', 'key-', `${H}{32}(?!${A})`),
  ...around('Mailchimp key', '-us', `(?<![0-9a-f])${H}{32}`, '\\d{1,2}(?![A-Za-z0-9])'),
  ...row('Mandrill key', 'md-', `${W}{22}(?!${W})`),
  ...row('Brevo key', 'xkeysib- xsmtpsib-', `${H}{64}-${A}{16}`),
  ...row('Resend key', 're_', `${A}{8}_${A}{20,30}`),
  ...around('Firebase key', ':APA91b', 'AAAA[A-Za-z0-9_-]{7}', `${W}{100,180}`),

  ...row('MailerSend key', 'mlsn.', `${H}{60,70}`),
  ...row('OneSignal key', 'os_v2_app_ os_v2_org_', '[a-z2-7]{60,120}'),
  ...row('Nylas key', 'nyk_v0_', `${A}{50,70}`),
  ...row('Intercom token', 'dG9rOm', `${B}{40,80}={0,2}`),
  ...row('X token', 'AAAAAAAAAAAAAAAAAAAAA', '[A-Za-z0-9%]{50,140}'),
  ...row('LinkedIn secret', 'WPL_AP1.', '[A-Za-z0-9.=+/]{12,60}'),
  ...row('Instagram token', 'IGQV IGAA', `${W}{60,300}`),
  ...sure('Roblox cookie', '_|WARNING:-DO-NOT-SHARE-THIS.', `[^|\\n]{0,200}\\|_[A-Za-z0-9]{60,1200}`),

  // Money and shops
  ...row('Stripe key', 'sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ pk_test_ whsec_', `${A}{16,120}`),
  ...row('Square key', 'sq0atp- sq0csp- EAAA', `${W}{22,70}`),
  ...row('PayPal token', 'access_token$production$ access_token$sandbox$', '[a-z0-9]{12,20}\\$[a-f0-9]{32}'),
  ...row('Shopify key', 'shpat_ shpca_ shppa_ shpss_ shptka_', `${A}{32,40}`),
  ...row('Flutterwave key', 'FLWSECK_TEST- FLWSECK-', `${A}{12,40}(?:-X)?`),
  ...row(
    'Payment key',
    'live_ test_ cal_live_ duffel_live_ duffel_test_ shippo_live_ shippo_test_ rzp_live_',
    `${W}{28,60}`,
  ),
  ...row('Payment key', 'sk_sbox_ sk_org_', `${A}{20,80}`),
  ...row('Razorpay key', 'rzp_live_ rzp_test_', `${A}{14}(?!${A})`),
  ...row('Paddle key', 'pdl_live_apikey_ pdl_sdbx_apikey_', `[a-z0-9]{26}_${A}{22}_${A}{3}`),
  ...row('Porkbun key', 'pk1_ sk1_', `${H}{60,70}`),
  ...row('Wix key', 'IST.eyJ', '[A-Za-z0-9_.-]{60,1200}'),
  ...row('EasyPost key', 'EZAK EZTK', `${A}{54}(?!${A})`),
  ...row(
    'Plaid token',
    'access-sandbox- access-development- access-production-',
    `${H}{8}-(?:${H}{4}-){3}${H}{12}`,
  ),
  ...row('Facebook token', 'EAA', `${A}{80,400}`),

  // Work and observation
  ...row('Linear key', 'lin_api_ lin_oauth_', `${A}{30,80}`),
  ...row('Notion token', 'ntn_ secret_', `${A}{40,60}(?!${A})`),
  ...row('Figma token', 'figd_ figo_ figu_', `${W}{30,60}`),
  ...row('Airtable token', 'pat', `${A}{14}\\.${H}{64}`),
  ...row('HubSpot token', 'pat-na1- pat-eu1- pat-na2-', `${H}{8}-(?:${H}{4}-){3}${H}{12}`),
  ...row('Asana token', '1/ 2/', `\\d{10,20}(?:/\\d{10,20})?:${H}{32}(?!${A})`),
  ...row('Dropbox token', 'sl.', `(?:u\\.)?${W}{100,1400}`),
  ...row('Mapbox token', 'sk.eyJ tk.eyJ', '[A-Za-z0-9_.-]{40,200}'),
  ...row('Grafana token', 'glsa_ glc_ eyJrIjoi', '[A-Za-z0-9+/_-]{32,500}={0,2}'),
  ...row('Sentry token', 'sntrys_ sntryu_', '[A-Za-z0-9+/=_-]{40,400}'),
  ...row('New Relic key', 'NRAK- NRJS- NRII- NRSP-', `${W}{19,60}`),
  ...around('New Relic key', 'NRAL', `(?<![0-9a-zA-Z])[0-9a-zA-Z]{36}`, `(?!${A})`),
  ...row('PostHog key', 'phx_', `${A}{30,60}`),
  ...row('LaunchDarkly key', 'sdk- api- mob-', `${H}{8}-(?:${H}{4}-){3}${H}{12}(?!${A})`),
  ...row('Tinybird token', 'p.eyJ', `${W}{40,400}\\.${W}{30,80}`),
  ...row('Frame.io token', 'fio-u-', `${W}{60,70}`),
  ...row('Rootly key', 'rootly_', `${H}{64}(?!${A})`),
  ...row('ClickUp token', 'pk_', '\\d{5,10}_[A-Z0-9]{32}(?![A-Za-z0-9])'),
  ...row('Klaviyo key', 'pk_', `${H}{34}(?!${A})`),
  ...row('Typeform token', 'tfp_', `${W}{40,80}`),
  ...row('Pinterest token', 'pina_', `${A}{30,300}`),
  ...row('Stytch secret', 'secret-live- secret-test-', `${W}{32,60}`),
  ...row('Settlemint token', 'sm_pat_ sm_aat_ sm_sat_', `${A}{16,40}`),
  ...row('Trigger key', 'tr_dev_ tr_prod_ signkey-prod- signkey-test-', `${A}{20,80}`),
  ...around('RapidAPI key', 'msh', '(?<![a-z0-9])[a-z0-9]{10}', '[a-z0-9]{15}p1[a-z0-9]{6}jsn[a-z0-9]{12}'),
  ...around('MaxMind key', '_mmk', '[A-Za-z0-9]{6}_[A-Za-z0-9]{29}', `(?!${A})`),
  ...row('ReadMe key', 'rdme_', `[a-z0-9]{60,90}`),
  ...row('Zuplo key', 'zpka_', `${A}{28,40}_${A}{6,10}`),
  ...row('Ory token', 'ory_at_ ory_st_ ory_pat_', '[A-Za-z0-9_.-]{20,120}'),
  ...row('Axiom token', 'xaat- xapt-', `${H}{8}-(?:${H}{4}-){3}${H}{12}`),
  ...row('Datadog token', 'ddpat_', `${W}{20,120}`),
  ...row('Depot token', 'depot_org_ depot_project_ depot_user_', `${A}{30,80}`),
  ...row('Adobe secret', 'p8e-', `${H}{32}(?!${A})`),
  ...row('Defined key', 'dnkey-', '[a-z0-9=_-]{26}-[a-z0-9=_-]{52}'),
  ...row('Intra42 secret', 's-s4t2ud- s-s4t2af-', `${H}{64}`),
  ...row('DevCycle key', 'dvc_server_ dvc_mobile_ dvc_client_', `${W}{20,90}`),
  ...row('Onfido token', 'api_live. api_sandbox. api_live_us. api_live_ca.', `${W}{8,20}\\.${W}{24,60}`),
  ...row('Cockroach key', 'CCDB1_', `${A}{20,26}_${A}{38,44}`),
  ...row('Telnyx key', 'KEY01', `[0-9A-F]{29,32}_${A}{20,24}`),
  ...row(
    'API key',
    'persona_production_ persona_sandbox_ gcntfy-',
    `(?:[a-z0-9_]{1,40}-)?${H}{8}-(?:${H}{4}-){3}${H}{12}(?:-${H}{8}-(?:${H}{4}-){3}${H}{12})?`,
  ),
  ...row('Midtrans key', 'Mid-server- SB-Mid-server-', `${W}{20,40}`),
  ...row('Asaas key', '$aact_', `[A-Za-z0-9_]{40,400}={0,2}(?:::)?`),
  ...row('Adyen key', 'AQE', `[A-Za-z0-9+/]{60,200}-[A-Za-z0-9+/=]{20,80}-[^\\s"'<>]{8,40}`),
  ...row('Salesforce session', '00D', `${A}{12}![A-Za-z0-9._-]{60,200}`),
  ...sure('Zoho token', '1000.', `${H}{32}\\.${H}{32}(?!${A})`),
  ...row('Nostr key', 'nsec1', '[02-9ac-hj-np-z]{58}(?![a-z0-9])'),
  ...row('ClickHouse key', '4b1d', `${A}{38}(?!${A})`),

  // Of no maker
  ...row('JSON web token', 'eyJ', `${W}{8,800}\\.eyJ${W}{2,8000}\\.${W}{0,2000}`).map((form) => ({
    ...form,
    sure: true as const,
  })),
  ...row(
    'JSON web token',
    'eyJ',
    `${W}{20,600}\\.${W}{0,1000}\\.${W}{10,100}\\.${W}{10,8000}\\.${W}{10,60}`,
  ).map((form) => ({ ...form, sure: true as const })),
  ...row('PASETO', 'v1.local. v2.local. v3.local. v4.local.', `${W}{40,4000}`),
  ...row('age key', 'AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1', '[A-Za-z0-9]{50,60}'),
  ...row('wallet key', 'xprv yprv zprv tprv', '[1-9A-HJ-NP-Za-km-z]{100,110}(?![A-Za-z0-9])'),
  ...sure(
    'webhook',
    'hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/',
    '[A-Za-z0-9/_-]{20,120}',
  ),
  ...sure(
    'webhook',
    'discord.com/api/webhooks/ discordapp.com/api/webhooks/',
    '\\d{8,22}/[A-Za-z0-9_-]{20,100}',
  ),
  ...sure('webhook', '.webhook.office.com/webhookb2/ outlook.office.com/webhook/', '[A-Za-z0-9@/_-]{40,260}'),
  ...sure(
    'webhook',
    'hooks.zapier.com/hooks/catch/ open.feishu.cn/open-apis/bot/v2/hook/ open.larksuite.com/open-apis/bot/v2/hook/',
    '[A-Za-z0-9/-]{12,80}',
  ),
  ...sure('webhook', 'qyapi.weixin.qq.com/cgi-bin/webhook/send?key=', '[0-9a-f-]{30,40}'),
  ...sure('webhook', 'sentry.io/api/hooks/release/builtin/', '\\d{2,12}/[0-9a-f]{64}'),
  ...row('webhook', 'maker.ifttt.com/use/', `${W}{20,60}`),
]
