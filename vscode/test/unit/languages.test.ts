import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { ago, count } from '../../src/words.ts'
import { host } from './fake-vscode.ts'
import { openView, openWindow } from './kit.ts'

const root = path.join(import.meta.dirname, '..', '..')
const LANGUAGES = ['ru', 'zh-cn']
type Texts = Record<string, string>
const read = (file: string): Texts => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'))
const holes = (text: string) => (text.match(/\{\d+\}|command:[\w.]+/g) ?? []).toSorted()

describe('what people read', () => {
  const said = wordsInCode()
  const english = read('package.nls.json')

  test('the manifest says nothing that cannot be translated', () => {
    const manifest = fs.readFileSync(path.join(root, 'package.json'), 'utf8')
    const used = new Set([...manifest.matchAll(/"%([^"%]+)%"/g)].map(([, key = '']) => key))
    assert.deepEqual(
      [...used].filter((key) => !(key in english)),
      [],
    )
    assert.deepEqual(
      Object.keys(english).filter((key) => !used.has(key)),
      [],
    )
    const { contributes, description } = JSON.parse(manifest)
    const properties: Record<string, { description?: string; markdownDescription?: string }> =
      contributes.configuration.properties
    const shown: (string | undefined)[] = [
      description,
      ...contributes.commands.map(({ title }: { title: string }) => title),
      ...contributes.views.recollect.map(({ name }: { name: string }) => name),
      ...Object.values(properties).map((each) => each.description ?? each.markdownDescription),
      ...contributes.walkthroughs[0].steps.flatMap((step: { title: string; description: string }) => [
        step.title,
        step.description,
      ]),
    ]
    for (const text of shown) assert.match(text ?? '', /^%.+%$/)
  })

  for (const language of LANGUAGES) {
    test(`${language}: the manifest is whole`, () => same(read(`package.nls.${language}.json`), english))
    test(`${language}: the code is whole`, () => {
      const bundle = read(`l10n/bundle.l10n.${language}.json`)
      same(bundle, Object.fromEntries(said.map((text) => [text, text])))
    })
    test(`${language}: nothing was left in English`, () => {
      const letters = language === 'ru' ? /\p{Script=Cyrillic}/u : /\p{Script=Han}/u
      const all = { ...read(`package.nls.${language}.json`), ...read(`l10n/bundle.l10n.${language}.json`) }
      const left = Object.entries(all).filter(
        ([, text]) => !letters.test(text) && /\p{L}/u.test(text.replace(/\{\d\}/g, '')),
      )
      assert.deepEqual(left, [])
    })
    test(`${language}: one word for one thing`, () => {
      const all = { ...read(`package.nls.${language}.json`), ...read(`l10n/bundle.l10n.${language}.json`) }
      const other = language === 'ru' ? /[Дд]иалог|машин[аеуы]|[Зз]абы[тв]/ : /聊天|您|代理|遗忘|令牌/
      assert.deepEqual(
        Object.values(all).filter((text) => other.test(text)),
        [],
      )
    })
  }

  test('a language counts in its own way', () => {
    const counted = (language: string) => {
      host.language = language
      return [1, 2, 5, 21].map((n) => count(n, 'chat'))
    }
    assert.deepEqual(counted('en'), ['1 chat', '2 chats', '5 chats', '21 chats'])
    assert.deepEqual(counted('ru'), ['1 чат', '2 чата', '5 чатов', '21 чат'])
    assert.deepEqual(counted('zh-cn'), ['1 个对话', '2 个对话', '5 个对话', '21 个对话'])
    assert.equal(ago(0, 5 * 60_000), '5分钟前')
    host.language = 'en'
  })

  test('the view speaks the language of the editor', async () => {
    await using window = await openWindow()
    host.language = 'ru'
    host.words = read('l10n/bundle.l10n.ru.json')
    const view = await openView()
    assert.match(view.webview.html, /<html lang="ru">.*placeholder="Искать в чатах"/s)
    assert.match(view.body, /Старше/)
    await window.api.dialogs.narrow({ title: 'нет такого' })
    const { only } = await window.api.dialogs.content()
    assert.equal(only, 'Только: “нет такого”')
  })
})

function same(told: Texts, english: Texts): void {
  assert.deepEqual(Object.keys(told).toSorted(), Object.keys(english).toSorted())
  for (const [key, text] of Object.entries(told)) {
    assert.deepEqual(holes(text), holes(english[key] ?? ''), key)
    assert.ok(text.trim().length > 0, key)
  }
}

/** Every text that is given to `t`. */
function wordsInCode(): string[] {
  const found = new Set<string>()
  for (const file of fs.globSync('src/**/*.ts', { cwd: root })) {
    const text = fs.readFileSync(path.join(root, file), 'utf8')
    for (const call of text.matchAll(/(?<![\w.$])t\(\s*/g)) {
      const rest = text.slice(call.index + call[0].length)
      const whole = /^(?:\w+ === '\w+'\s*\?\s*)?'((?:[^'\\]|\\.)*)'(?:\s*:\s*'((?:[^'\\]|\\.)*)')?/.exec(rest)
      assert.ok(whole, `${file}: a text that is not written out: ${rest.slice(0, 60)}`)
      for (const each of whole.slice(1)) if (each !== undefined) found.add(each)
    }
  }
  assert.ok(found.size > 100)
  return [...found]
}
