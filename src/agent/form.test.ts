import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkedContent, fieldsOf } from './form.ts'

const fields = fieldsOf({
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', minLength: 2, maxLength: 5 },
    when: { type: 'string', format: 'date' },
    size: { type: 'string', enum: ['s', 'm'], enumNames: ['small', 'medium'] },
    colours: { type: 'array', items: { anyOf: [{ const: 'r', title: 'Red' }] }, minItems: 1 },
    deep: { type: 'object', properties: {} },
    none: { type: 'array', items: { type: 'string' } },
    odd: 'not a field',
  },
  required: ['name'],
})

test('plain fields are taken from a schema, others are left out', () => {
  assert.deepEqual(
    fields.map(({ name, type, required }) => [name, type, required]),
    [
      ['name', 'string', true],
      ['when', 'string', false],
      ['size', 'string', false],
      ['colours', 'several', false],
    ],
  )
  assert.deepEqual(fields[2]!.choices, [
    { value: 's', title: 'small' },
    { value: 'm', title: 'medium' },
  ])
  for (const odd of [undefined, null, 'x', [], { properties: [] }]) assert.deepEqual(fieldsOf(odd), [])
})

test('what is filled in is checked by field; what nobody asked for is left out', () => {
  const whole = { name: 'Ada', when: '2026-01-31', size: 'm', colours: ['r'] }
  assert.deepEqual(checkedContent(fields, { ...whole, more: 'x' }), whole)
  assert.deepEqual(checkedContent(fields, { name: 'Ada', when: '' }), { name: 'Ada' })
  for (const [wrong, words] of [
    [{}, 'Name is needed.'],
    [{ name: '' }, 'Name is needed.'],
    [{ name: 'A' }, 'Name has to have 2 to 5 letters.'],
    [{ name: 5 }, 'Name has to be a text.'],
    [{ ...whole, when: '31.1.2026' }, 'when has to be a date such as 2026-01-31.'],
    [{ ...whole, size: 'l' }, 'size has to be one of: small, medium.'],
    [{ ...whole, colours: [] }, 'colours has to be at least 1 of them.'],
    [{ ...whole, colours: ['b'] }, 'colours has to be some of: Red.'],
  ] as const)
    assert.throws(() => checkedContent(fields, wrong as never), { code: 'INVALID_ARGUMENT', message: words })
})
