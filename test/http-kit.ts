import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import { type Alex, type Answer, environment, until } from './mcp-kit.ts'
import { recollect } from './run-cli.ts'

/** A real `recollect serve`, with a browser's cookie and a program's token. */
export interface Site {
  url: URL
  child: ChildProcess
  /** The link that it printed, not used yet unless `cookie` was. */
  link: string
  cookie: string
  /** What the page keeps in its own storage and shows with every question. */
  proof: string
  token: string
  ask(at: string, asked?: Asked): Promise<Answered>
  /** What it wrote to its standard error. */
  err(): string
  /** Server-sent events, as they come. */
  events(at: string, asked?: Asked): Promise<Events>
  close(): Promise<void>
}

export interface Asked {
  method?: string
  /** Who asks: the page (as a browser would), a program with the token, or nobody in particular. */
  as?: 'page' | 'program' | 'nobody'
  headers?: Record<string, string>
  /** Sent as JSON; a string as it stands. */
  body?: unknown
}

export interface Answered {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
  json: Answer
}

export interface Events {
  status: number
  headers: http.IncomingHttpHeaders
  all: { event: string; data: Answer; id?: string }[]
  ended(): boolean
  close(): void
}

export async function site(
  alex: Alex,
  {
    args = [],
    env = {},
    before = [],
  }: { args?: string[]; env?: Record<string, string>; before?: string[] } = {},
): Promise<Site> {
  const token = (await alex.run([...before, 'token', 'create', `t${Math.random()}`])).out.trim()
  const command = [recollect, ...before, 'serve', '--json', '--no-open', '--port', '0', ...args]
  const child = spawn(process.execPath, command, {
    cwd: alex.project,
    env: environment(alex, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stderr.on('data', (data) => {
    err += data
    process.stderr.write(data)
  })
  child.stdout.on('data', (data) => {
    out += data
  })
  await until('it serves', () => out.includes('\n'))
  const { url: at, open: link } = JSON.parse(out)
  const url = new URL(at)
  const opened = await send(url, link, {})
  const cookie = String(opened.headers['set-cookie']?.[0]).replace(/;.*/, '')
  const proof = String(opened.headers.location).replace(/^.*#proof=/, '')
  const known = { cookie, proof, token }
  return {
    url,
    child,
    link,
    ...known,
    err: () => err,
    ask: async (asked, how = {}) => await send(url, asked, headersOf(url, how, known)),
    events: async (asked, how = {}) => await listen(url, asked, headersOf(url, how, known)),
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

function headersOf(
  url: URL,
  { as = 'page', headers = {}, ...rest }: Asked,
  { cookie, proof, token }: { cookie: string; proof: string; token: string },
): Asked {
  const known: Record<string, Record<string, string>> = {
    page: { cookie, origin: url.origin, 'x-recollect': proof, 'sec-fetch-site': 'same-origin' },
    program: { authorization: `Bearer ${token}` },
    nobody: {},
  }
  return { ...rest, headers: { ...known[as], ...headers } }
}

/** Without a client that would mend the headers or the path. */
async function send(url: URL, at: string, asked: Asked): Promise<Answered> {
  return await new Promise((resolve, reject) => {
    const request = requested(url, at, asked, (response) => {
      const parts: Buffer[] = []
      response.on('data', (data) => parts.push(data))
      response.on('end', () => {
        const text = Buffer.concat(parts).toString()
        const isJson = /application\/json/.test(response.headers['content-type'] ?? '')
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: isJson && text.startsWith('{') ? JSON.parse(text) : undefined,
        })
      })
    })
    request.on('error', reject)
  })
}

async function listen(url: URL, at: string, asked: Asked): Promise<Events> {
  return await new Promise((resolve, reject) => {
    const all: Events['all'] = []
    let isEnded = false
    const request = requested(url, at, asked, (response) => {
      let text = ''
      response.on('data', (data) => {
        text += data
        const blocks = text.split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) {
          const event = /^event: (.*)$/m.exec(block)?.[1] ?? 'message'
          const data = /^data: (.*)$/m.exec(block)?.[1]
          const id = /^id: (.*)$/m.exec(block)?.[1]
          if (data !== undefined)
            all.push({ event, data: data.startsWith('{') ? JSON.parse(data) : data, ...(id && { id }) })
        }
      })
      const end = () => {
        isEnded = true
      }
      response.on('close', end)
      response.on('error', end)
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        all,
        ended: () => isEnded,
        close: () => request.destroy(),
      })
    })
    request.on('error', reject)
  })
}

function requested(
  url: URL,
  at: string,
  { method, headers = {}, body }: Asked,
  answered: (response: http.IncomingMessage) => void,
): http.ClientRequest {
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const request = http.request(
    {
      host: url.hostname,
      port: url.port,
      path: at.replace(url.origin, ''),
      method: method ?? (sent === undefined ? 'GET' : 'POST'),
      headers: { ...(sent !== undefined && { 'content-type': 'application/json' }), ...headers },
    },
    answered,
  )
  request.end(sent)
  return request
}
