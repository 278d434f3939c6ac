import assert from 'node:assert/strict'
import net from 'node:net'
import { after, before, test } from 'node:test'
import { type Site, site } from './http-kit.ts'
import { sampleMachine, until } from './mcp-kit.ts'

const MANY = 700
const alex = sampleMachine()
let served: Site
const sockets: net.Socket[] = []

before(async () => {
  served = await site(alex)
})
after(async () => {
  for (const socket of sockets) socket.destroy()
  await served.close()
  alex.remove()
})

/** As many connections as one program may open, each saying this and no more. */
async function opened(said: string): Promise<void> {
  const waiting = Array.from({ length: MANY }, async () => {
    const socket = net.connect(Number(served.url.port), served.url.hostname)
    sockets.push(socket)
    socket.on('error', () => {})
    await new Promise((resolve) => {
      socket.once('connect', resolve)
      socket.once('close', resolve)
    })
    if (said && !socket.destroyed) socket.write(said)
  })
  await Promise.all(waiting)
}

const CASES: [what: string, said: string][] = [
  ['that say nothing', ''],
  ['that stop within their headers', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: '],
  [
    'that stop within a body',
    'POST /api/v1/list_chats HTTP/1.1\r\nHost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{',
  ],
  ['that were refused and stay', 'GET /api/v1/overview HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
]

for (const [what, said] of CASES)
  test(`${MANY} connections ${what} do not keep the owner out, nor end what they listen to`, async () => {
    const live = await served.events('/api/v1/live')
    await until('it is heard', () => live.all.length > 0 || live.status === 200)
    await opened(said)
    const answer = await served.ask('/api/v1/overview')
    assert.equal(answer.status, 200)
    const program = await served.ask('/api/v1/overview', { as: 'program' })
    assert.equal(program.status, 200)
    assert.equal(live.ended(), false)
    live.close()
    for (const socket of sockets.splice(0)) socket.destroy()
  })
