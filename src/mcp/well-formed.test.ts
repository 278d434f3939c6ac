import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wellFormed } from './well-formed.ts'

test('a line that is too long is refused, and what follows is heard', async () => {
  const answers: string[] = []
  const input = wellFormed((text) => answers.push(text))
  const heard: string[] = []
  input.on('data', (line: Buffer) => heard.push(String(line).trim()))
  const ping = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })
  input.write(`${ping(1)}\n`)
  const piece = 'x'.repeat(1 << 20)
  input.write('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"')
  for (let n = 0; n < 11; n++) input.write(piece)
  input.write(`"}}\n${ping(3)}\n`)
  // As long as may be, in one go.
  const long = `{"jsonrpc":"2.0","id":4,"method":"ping","params":{"_meta":{"a":"${'y'.repeat(10_485_000)}"}}}`
  input.write(`${long}\n${ping(5)}\n`)
  await new Promise((resolve) => input.end(resolve))
  assert.deepEqual(heard, [ping(1), ping(3), long, ping(5)])
  assert.deepEqual(
    answers.map((text) => JSON.parse(text)),
    [
      {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32_600, message: 'Invalid request: a message has at most 10 MB' },
      },
    ],
  )
})

test('a mark of the byte order before a message is not a part of it', async () => {
  const answers: string[] = []
  const input = wellFormed((text) => answers.push(text))
  const heard: string[] = []
  input.on('data', (line: Buffer) => heard.push(line.toString()))
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  input.write(`\ufeff${ping}\n\ufeff\n${ping}\n`)
  await new Promise((resolve) => input.end(resolve))
  assert.deepEqual([heard, answers], [[`${ping}\n`, `${ping}\n`], []])
})
