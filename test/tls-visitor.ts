/**
 * Somebody of a space at a search node, with nothing but its address and their token: signs in at the page, asks REST,
 * and connects an MCP client. Says what each of them gave. Authorities come from NODE_EXTRA_CA_CERTS.
 */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { clientOf } from './mcp-kit.ts'

const [address = '', token = ''] = process.argv.slice(2)
const at = (path: string) => new URL(path, address)

const form = await fetch(at('/'))
const opened = await fetch(at('/open'), {
  method: 'POST',
  redirect: 'manual',
  headers: { 'content-type': 'application/x-www-form-urlencoded', origin: at('/').origin },
  body: `token=${token}`,
})
const cookie = opened.headers.get('set-cookie') ?? ''
const headers = {
  cookie: cookie.replace(/;.*/, ''),
  'x-recollect': (opened.headers.get('location') ?? '').replace(/^.*#proof=/, ''),
  'sec-fetch-site': 'same-origin',
}
const listed = await fetch(at('/api/v1/list_chats'), { headers })
const page = (await listed.json()) as { chats: { chatId: string }[] }

const bearer = { authorization: `Bearer ${token}` }
const found = await fetch(at('/api/v1/search_conversations'), {
  method: 'POST',
  headers: { ...bearer, 'content-type': 'application/json' },
  body: JSON.stringify({ query: 'redwine' }),
})
const rest = (await found.json()) as { results: { chatId: string }[] }

const client = clientOf('modern', 'claude-code')
await client.connect(new StreamableHTTPClientTransport(at('/mcp'), { requestInit: { headers: bearer } }))
const mcp = await client.callTool({ name: 'search_conversations', arguments: { query: 'redwine' } })
await client.close()

console.log(
  JSON.stringify({
    form: form.status,
    opened: opened.status,
    isSecureCookie: /;\s*secure/i.test(cookie),
    page: page.chats.map(({ chatId }) => chatId),
    rest: rest.results.map(({ chatId }) => chatId),
    mcp: /abcdef12.*anna|anna.*abcdef12/s.test(JSON.stringify(mcp)),
  }),
)
