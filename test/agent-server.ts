/** An MCP server for tests, on standard input: tools that take their time, fail, die, or bring new ones. */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const server = new McpServer({ name: 'test', version: '1.0.0' })
const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] })
let counted = 0

server.registerTool(
  'wait',
  {
    description: 'Waits, then says so',
    inputSchema: z.object({ ms: z.number(), say: z.string().optional() }),
  },
  async ({ ms, say }) => {
    await sleep(ms)
    return text(say ?? `waited ${ms}`)
  },
)
server.registerTool('count', { description: 'Counts its calls', inputSchema: z.object({}) }, async () => {
  counted++
  return text(`called ${counted}`)
})
server.registerTool('fail', { description: 'Fails', inputSchema: z.object({}) }, async () => ({
  ...text('the disk is full'),
  isError: true,
}))
server.registerTool(
  'big',
  { description: 'Says much', inputSchema: z.object({ chars: z.number() }) },
  async ({ chars }) => text('x'.repeat(chars)),
)
server.registerTool('die', { description: 'Dies in the middle', inputSchema: z.object({}) }, async () => {
  process.kill(process.pid, 'SIGKILL')
  return text('never')
})
server.registerTool('grow', { description: 'Brings a new tool', inputSchema: z.object({}) }, async () => {
  server.registerTool('grown', { description: 'It is new', inputSchema: z.object({}) }, async () =>
    text('grown'),
  )
  return text('there is a new tool')
})
server.registerTool(
  'write_note',
  { description: 'Writes a note', inputSchema: z.object({ path: z.string(), note: z.string() }) },
  async ({ path, note }) => {
    fs.appendFileSync(path, `${note}\n`)
    await sleep(Number(process.env.SLOW_NOTE ?? 0))
    return text('written')
  },
)

if (process.env.DIES_ONCE) {
  const mark = process.env.DIES_ONCE
  server.registerTool(
    'look',
    {
      description: 'Looks, and dies of it the first time',
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true },
    },
    async () => {
      if (fs.existsSync(mark)) return text('looked')
      fs.writeFileSync(mark, '')
      process.kill(process.pid, 'SIGKILL')
      return text('never')
    },
  )
}

// Like `npx` and shells do: a process of its own, which does not care that our input ends.
const helper = process.env.WITH_HELPER
  ? spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  : undefined
if (process.env.PID_FILE) fs.writeFileSync(process.env.PID_FILE, `${process.pid} ${helper?.pid ?? ''}`)
if (process.env.DEAF) {
  process.stdin.on('end', () => {})
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1000)
}
await server.connect(new StdioServerTransport())
