import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TEX, withFormulas } from '../../web/src/ui/drawn/tex.ts'

const F = (tex: string) => `\`${TEX}${tex}\``

test('formulas are told from prices, variables and code', () => {
  const cases: [text: string, becomes: string][] = [
    ['$E = mc^2$', F('E = mc^2')],
    ['so $x$ is', `so ${F('x')} is`],
    ['\\(a + b\\)', F('a + b')],
    ['$$a$$', '\n\n```math\na\n```\n\n'],
    ['\\[\na\n\\]', '\n\n```math\na\n```\n\n'],
    ['it costs $5 to $10', 'it costs $5 to $10'],
    ['$5 and 10$', '$5 and 10$'],
    ['$HOME and $PATH', '$HOME and $PATH'],
    ['`$x$` and `\\(a\\)`', '`$x$` and `\\(a\\)`'],
    ['```sh\necho $a$\n```\n$a$', `\`\`\`sh\necho $a$\n\`\`\`\n${F('a')}`],
    ['```sh\necho $a$', '```sh\necho $a$'],
    ['no formula', 'no formula'],
  ]
  for (const [text, becomes] of cases) assert.equal(withFormulas(text), becomes, text)
})

test('signs without their ends stay, a megabyte of them in no time', () => {
  for (const text of ['\\(a '.repeat(250_000), '\\[a '.repeat(250_000), `${'`'.repeat(500_000)}$`])
    assert.ok(withFormulas(text) === text, text.slice(0, 10))
})
