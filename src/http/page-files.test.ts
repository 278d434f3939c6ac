import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { canLink } from '../platform/test-links.ts'
import { pageFile } from './page-files.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-page-'))
const page = path.join(folder, 'page')
fs.mkdirSync(path.join(page, 'assets'), { recursive: true })
const files = {
  'page/index.html': '<html>',
  'page/assets/app-1.js': 'plain',
  'page/assets/app-1.js.br': 'brotli',
  'page/assets/app-1.js.gz': 'gzip',
  'page/assets/app-1.js.map': 'map',
  'page/icon.svg': '<svg>',
  'secret.json': 'secret',
}
for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text)
if (canLink) fs.symlinkSync(path.join(folder, 'secret.json'), path.join(page, 'link.json'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))

async function read(at: string, headers: Record<string, string> = {}, method = 'GET') {
  const answer = pageFile(new Request(`http://127.0.0.1${at}`, { headers, method }), page)
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

test('files are sent as what they are; assets never change', async () => {
  const asset = await read('/assets/app-1.js')
  assert.deepEqual([asset.status, asset.text], [200, 'plain'])
  assert.match(String(asset.headers.get('content-type')), /^text\/javascript/)
  assert.match(String(asset.headers.get('cache-control')), /immutable/)
  const icon = await read('/icon.svg')
  assert.equal(icon.headers.get('content-type'), 'image/svg+xml')
  assert.equal(icon.headers.get('cache-control'), 'private, max-age=3600')
  assert.equal((await read('/')).headers.get('cache-control'), 'no-cache')
  assert.equal((await read('/icon.svg', {}, 'HEAD')).text, '')
})

test('what was compressed is sent so to who takes it', async () => {
  for (const [accepted, encoding, text] of [
    ['gzip, deflate, br', 'br', 'brotli'],
    ['gzip', 'gzip', 'gzip'],
    ['identity', null, 'plain'],
  ] as const) {
    const answer = await read('/assets/app-1.js', { 'accept-encoding': accepted })
    assert.deepEqual([answer.headers.get('content-encoding'), answer.text], [encoding, text])
  }
})

test('an address within the page begins with index.html; an asset that is gone is gone', async () => {
  assert.equal((await read('/chats/claude-code:1.2')).text, '<html>')
  assert.equal((await read('/assets/app-2.js')).status, 404)
})

test('nothing beside the page, behind a link, or of an unknown kind is sent', async () => {
  for (const at of [
    '/../secret.json',
    '/%2e%2e/secret.json',
    '/..%2fsecret.json',
    '/link.json',
    '/assets/app-1.js.map',
  ])
    assert.doesNotMatch((await read(at)).text, /secret|map/, at)
  assert.equal((await read('/%00')).status, 404)
  assert.equal((await read('/%E0%A4%A')).status, 404)
})
