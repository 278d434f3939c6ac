import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { buildPage } from '../../scripts/build-page.ts'
import { root } from '../run-cli.ts'

const page = path.join(root, 'dist', 'page')

test('the first page needs at most 120 kB of code, and nothing inline', async () => {
  await buildPage()
  const html = fs.readFileSync(path.join(page, 'index.html'), 'utf8')
  const scripts = [...html.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map(([, file]) => file!)
  assert.ok(scripts.length >= 2, html)
  const bytes = scripts.reduce(
    (sum, file) => sum + gzipSync(fs.readFileSync(path.join(page, file))).length,
    0,
  )
  assert.ok(bytes <= 120_000, `${bytes} bytes`)
  assert.doesNotMatch(html, /<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/)
})

test('all of it together stays small, and every part comes with its licence', () => {
  const files = fs.readdirSync(page, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  const bytes = files.reduce(
    (sum, { parentPath, name }) => sum + fs.statSync(path.join(parentPath, name)).size,
    0,
  )
  // 1.8 MB of it draw diagrams and formulas, fetched where a chat has some.
  assert.ok(bytes < 4_500_000, `${bytes} bytes`)
  const licences = fs.readFileSync(path.join(page, 'THIRD-PARTY-LICENCES.txt'), 'utf8')
  for (const name of [
    'react-dom',
    'react-markdown',
    'shiki',
    'wouter',
    'katex',
    'beautiful-mermaid',
    'elkjs',
  ])
    assert.match(licences, new RegExp(`^${name} `, 'm'))
})
