import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { root } from './run-cli.ts'

type Word = string | ((...parts: unknown[]) => string)
type Dictionary = Record<'en' | 'ru' | 'zh', Record<string, Word>>

/** The same in every language: names, formats, signs. */
const SAME =
  /^(?:[^\p{L}]*|MCP|REST|CSV|JSON|HTML|Markdown|Recollect|Token|token|context\.md|ID|id|PostgreSQL|OpenAI|[A-Z][a-z]+ [A-Z]\w+|\$.*)$/u

/** What developers who write Chinese leave in Latin letters. */
const LATIN = new Set(['Token', 'P95'])

before(() => {
  // What the page's words ask of a browser before they are loaded.
  Object.assign(globalThis, {
    document: { documentElement: {} },
    localStorage: { getItem: () => null, setItem: () => {} },
  })
})

const files = fs
  .globSync('web/src/**/*words.ts', { cwd: root })
  .filter((file) => !/lib.(problem-)?words\.ts$/.test(file))

async function dictionariesIn(file: string): Promise<Dictionary[]> {
  const module: Record<string, unknown> = await import(pathToFileURL(path.join(root, file)).href)
  return Object.values(module).filter(
    (each): each is Dictionary =>
      typeof each === 'object' && each !== null && 'en' in each && 'ru' in each && 'zh' in each,
  )
}

test('no word of the page was left in English, and Russian and Chinese are written in their own letters', async () => {
  assert.ok(files.length >= 10, files.join())
  const left: string[] = []
  let words = 0
  for (const file of files)
    for (const { en, ru, zh } of await dictionariesIn(file))
      for (const [key, said] of Object.entries(en)) {
        if (typeof said !== 'string' || SAME.test(said)) continue
        words++
        const [inRussian, inChinese] = [ru[key], zh[key]]
        if (inRussian === said || !/\p{Script=Cyrillic}/u.test(String(inRussian)))
          left.push(`${file} ru.${key}: ${inRussian}`)
        if (LATIN.has(String(inChinese))) continue
        if (inChinese === said || !/\p{Script=Han}/u.test(String(inChinese)))
          left.push(`${file} zh.${key}: ${inChinese}`)
      }
  assert.ok(words > 300, String(words))
  assert.deepEqual(left, [])
})

test('Chinese addresses people in one way and has its own punctuation', async () => {
  const wrong: string[] = []
  for (const file of files)
    for (const { zh } of await dictionariesIn(file))
      for (const [key, said] of Object.entries(zh))
        if (typeof said === 'string' && (/您|工作区|代理/.test(said) || /\p{Script=Han}[,;?!]/u.test(said)))
          wrong.push(`${file} ${key}: ${said}`)
  assert.deepEqual(wrong, [])
})

test('errors are said in Russian and Chinese by the codes that there are', async () => {
  type Said = { message: string; hint?: string }
  const file = path.join(root, 'web/src/lib/problem-words.ts')
  const { sayProblem } = (await import(pathToFileURL(file).href)) as {
    sayProblem(language: string, problem: Said & { code: string }): Said
  }
  const listed = fs.readFileSync(path.join(root, 'docs', 'troubleshooting.md'), 'utf8')
  const text = fs.readFileSync(file, 'utf8')
  const codes = [...text.matchAll(/^ {2}([A-Z_]+): \{/gm)].map(([, code]) => code!)
  assert.ok(codes.length > 50)
  for (const code of new Set(codes)) {
    assert.ok(listed.includes(`\`${code}\``), `${code} is no code of ours`)
    const problem = { code, message: 'In English.', hint: 'Do this.' }
    assert.match(sayProblem('ru', problem).message, /\p{Script=Cyrillic}/u, code)
    assert.match(sayProblem('zh', problem).message, /\p{Script=Han}/u, code)
    assert.deepEqual(sayProblem('en', problem), { message: 'In English.', hint: 'Do this.' })
  }
  const unknown = { code: 'toString', message: 'In English.', hint: 'Do this.' }
  assert.equal(sayProblem('ru', unknown).message, 'In English.')
})
