import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Bench, bench, say } from '../recall/test-kit.ts'
import type { Caller } from './caller.ts'
import { readerFor } from './reader.ts'
import { call, type Service } from './service.ts'
import { serviceAt } from './test-service.ts'

/**
 * Two archives that differ in nothing but their secrets: who may not reveal them is answered the same by both, whatever is
 * asked, or could find out letter by letter what they are. Asked here are beginnings and other parts of them, never a
 * whole word.
 */

interface Secrets {
  named: string
  form: string
  /** Too short to be looked for elsewhere in the chat. */
  short: string
  digits: string
  header: string
  /** Known by nothing but the name beside it. */
  camel: string
  letters: string
}

const ONE: Secrets = {
  named: '0GiPqwzx7Kd',
  form: `ghp_${'Zx9Wv8Ut7Sr6Qp5On4Ml3Kj2Ih1Gf0Ed9Cb8'}`,
  short: 'vb1!xq',
  digits: '83920174',
  header: 'Abqdxf7Ghijkm9',
  camel: 'VxCdEfJhIjKl',
  letters: 'zorbaquilnex',
}
const OTHER: Secrets = {
  named: '4TmWbvhy2Sf',
  form: `ghp_${'Aq1Bw2Ce3Dr4Et5Fy6Gu7Hi8Jo9Kp0La1Sd2'}`,
  short: 'nk7!wp',
  digits: '50817362',
  header: 'Qrstzv3Wxyzmn4',
  camel: 'QrStUvWxYzMn',
  letters: 'kaldivortemz',
}

let one: Kept
let other: Kept
before(async () => {
  one = await keeping(ONE)
  other = await keeping(OTHER)
})
after(async () => {
  await one.at.close()
  await other.at.close()
})

test('a pattern is not answered by what is in a secret', async () => {
  for (const [lead, mask, secret] of places()) {
    for (const guess of beginningsOf(secret)) {
      await same({ regex: `${lead}(${literal(guess)}|\\[redacted: ${mask})` })
      await same({ regex: `${lead}(?:${literal(guess)}|.redacted)` })
      await same({ regex: `${lead}(?=${literal(guess)}|\\[redacted)` })
      await same({ regex: `${lead}(?!${literal(guess)})` })
      await same({ regex: `${lead}[^ ]{1,40}?${literal(guess.slice(-1))}|${lead}\\[` })
      await same({ regex: `(${literal(guess)}|redacted)` })
    }
    for (const letters of ['[a-m]', '[n-z]', '\\d', '[A-Z]', '\\W', '\\b', '\\B'])
      for (const rest of ['', '\\w*!']) await same({ regex: `${lead}${letters}${rest}` })
    await same({ regex: `${lead}.{11} about|${lead}.{6}$` })
  }
})

test('a pattern still finds what stands around a secret, and that there is one', async () => {
  const found = async (regex: string) => (await searched(one, { regex })).topChatIds
  assert.deepEqual(await found('alpha request \\S+ about'), ['named'])
  assert.deepEqual(await found('DB_PASSWORD=\\S+'), ['named'])
  assert.deepEqual((await found('about the pool$')).sort(), ['form', 'named'])
  assert.deepEqual((await found('(?<=about )the pool')).sort(), ['form', 'named'])
  assert.deepEqual(await found('deploy quokka|nothing like it'), ['tools'])
  assert.deepEqual(await found('0GiP'), [])
  const [snippet] = (await searched(one, { regex: 'alpha request \\S+ about' })).results[0].snippets
  assert.match(snippet.text, /^alpha request \[redacted: secret\] about the pool$/)
})

test('the beginning of a word is not answered by what is in a secret, nor a word like it', async () => {
  // Of these two, beginnings are whole words of the index.
  for (const secret of secrets().filter((each) => each !== ONE.short && each !== ONE.camel)) {
    for (const length of [1, 2, 4, 5]) {
      const guess = secret.slice(0, length).toLowerCase()
      await same({ query: guess, precision_mode: 'fuzzy' })
      await same({ query: `${guess}*` })
      await same({ query: `pool ${guess}*`, match: 'all' })
      await same({ query: `pool ${guess}`, precision_mode: 'fuzzy', expand: 'auto' })
    }
  }
  const { letters } = ONE
  for (const typo of [`${letters.slice(0, -1)}w`, `${letters}q`, letters.slice(1), `e${letters.slice(1)}`])
    await same({ query: typo })
  assert.deepEqual((await searched(one, { query: 'alph*' })).topChatIds, ['named'])
  assert.deepEqual((await searched(one, { query: 'alph', precision_mode: 'fuzzy' })).topChatIds, ['named'])
})

test('what is left out of an answer is not chosen by what is in a secret', async () => {
  for (const secret of secrets())
    for (const guess of beginningsOf(secret)) {
      await same({ query: 'pool deploy', exclude_terms: [guess] })
      await same({ query: `pool deploy -${guess}` })
      await same({ query: 'pool deploy', exclude_terms: [`password ${guess}`] })
    }
  await same({ query: 'pool deploy', exclude_terms: ['redacted'] })
  assert.deepEqual((await searched(one, { query: 'pool deploy -quokka' })).topChatIds.sort(), [
    'form',
    'named',
    'short',
  ])
})

test('words are not found in a chat by what is in a secret', async () => {
  for (const chat of ['named', 'form', 'short', 'tools'])
    for (const secret of secrets())
      for (const guess of [...beginningsOf(secret), ...new Set(secret)]) {
        await sameFound(chat, guess, 'letters')
        await sameFound(chat, `/(${literal(guess)}|redacted)/`, 'search')
        await sameFound(chat, `/(?=${literal(guess)}|.redacted)./`, 'search')
        await sameFound(chat, `${guess}*`, 'search')
      }
  const { hits } = await readerFor(one.service, { kind: 'owner' }).find('named', 'about the POOL')
  assert.deepEqual(hits, [{ index: 0, count: 1 }])
})

test('a snippet has nothing of a secret that its name in the arguments of a tool tells', async () => {
  for (const given of [
    { query: 'quokka', snippet_window: 400 },
    { query: 'nosuchword deploys', snippet_window: 400 },
    { regex: 'quokka[^]{0,400}' },
    { regex: 'ADMIN_PASSWORD[^]{0,400}' },
  ]) {
    await same(given)
    const said = JSON.stringify((await searched(one, given)).results)
    for (const secret of secrets()) assert.ok(!said.includes(secret), `${JSON.stringify(given)}\n${said}`)
  }
})

test('a snippet has no half of a secret where the words of a tool end', async () => {
  for (const chat of ['result', 'argument']) {
    for (const given of [
      { query: `wombat ${chat}` },
      { query: `wombat ${chat}`, snippet_window: 2_000 },
      { regex: 'wombat.{0,60}' },
    ]) {
      const said = JSON.stringify((await searched(one, { ...given, source: `cut-${chat}` })).results)
      assert.match(said, /wombat/)
      assert.doesNotMatch(said, /Zx9W/)
    }
  }
})

test('the title and the folder of a chat have no secret of it when a pattern finds it', async () => {
  const { results } = await searched(one, { regex: 'pool.{0,40}', source: 'titled' })
  assert.equal(results[0].title, 'pool [redacted: secret]')
  assert.equal(results[0].workspace, '[redacted: secret]')
})

test('half of a secret at the end of a title is not found by a pattern', async () => {
  for (const length of [5, 6, 9])
    await same({
      regex: `the pool (${literal(ONE.form.slice(0, length))}|…)`,
      scope: 'title',
      source: 'cut-title',
    })
})

interface Kept {
  at: Bench
  service: Service
}

const AGENT: Caller = { kind: 'agent', budget: 60_000 }

async function keeping(secrets: Secrets): Promise<Kept> {
  const at = bench()
  const { named, form, short, digits, header, camel, letters } = secrets
  await at.write({ id: 'named' }, [
    say(0, `alpha request ${named} about the pool`),
    say(1, `Set DB_PASSWORD=${named} there`, { thinking: `so the pool has ${named} now` }),
  ])
  await at.write({ id: 'form' }, [say(0, `beta request ${form} about the pool`, { id: 'form' })])
  await at.write({ id: 'short' }, [
    say(0, `the pool has password: ${short}`, { id: 'short' }),
    say(1, `my.cnf of the pool:\npassword=${letters}`, { id: 'letters' }),
  ])
  await at.write({ id: 'tools' }, [
    say(0, 'please deploy', { id: 'asked' }),
    say(1, '', {
      id: 'called',
      role: 'assistant',
      toolCalls: [
        {
          id: 'c',
          server: 'srv',
          tool: 'deploy',
          args: {
            command: 'deploy quokka now',
            env: { ADMIN_PASSWORD: digits },
            auth: { password: short },
            headers: [
              { name: 'X-Api-Key', value: header },
              { name: 'X-Auth-Token', value: camel },
            ],
            args: ['--password', letters],
          },
        },
      ],
      toolResults: [{ callId: 'c', json: { quokka: 'up', password: short } }],
    }),
  ])
  const filler = 'filler line of words\n'.repeat(2_400)
  await at.write({ id: 'result', source: 'cut-result' }, [
    say(0, '', {
      id: 'result',
      role: 'assistant',
      toolResults: [{ callId: 'c', text: `${filler.slice(0, 47_960)} wombat ${form} end` }],
    }),
  ])
  await at.write({ id: 'argument', source: 'cut-argument' }, [
    say(0, '', {
      id: 'argument',
      role: 'assistant',
      toolCalls: [
        { id: 'c', tool: 'write', args: { data: `${filler.slice(0, 31_965)} wombat ${form} end` } },
      ],
    }),
  ])
  await at.write(
    { id: 'titled', source: 'titled', title: `pool ${named}`, workspace: `/home/alex/${named}` },
    [say(0, `the pool says that DB_PASSWORD=${named}`, { id: 'titled' })],
  )
  const cut = `${'about the gateway of '.repeat(8)} the pool ${form}`
  await at.write({ id: 'cut', source: 'cut-title', title: `${cut.slice(0, cut.length - 26)}…` }, [
    say(0, 'hello', { id: 'cut' }),
  ])
  return { at, service: serviceAt(at) }
}

async function searched({ service }: Kept, given: object) {
  const within = { source: 'claude-code', ...given }
  const { answer, failure } = await call(service, 'search_conversations', within, AGENT)
  assert.equal(failure, undefined, JSON.stringify(given))
  // biome-ignore lint/suspicious/noExplicitAny: an answer as any client gets it
  return answer as any
}

async function same(given: object): Promise<void> {
  assert.deepEqual(
    told(await searched(one, given)),
    told(await searched(other, given)),
    JSON.stringify(given),
  )
}

/** What is found, whatever its order: how good a message is depends a little on all that is said in it. */
// biome-ignore lint/suspicious/noExplicitAny: an answer as any client gets it
function told({ totalFound, topChatIds, results, tried, translated, notes, guidance }: any): unknown {
  return {
    totalFound,
    topChatIds: topChatIds.toSorted(),
    results: results
      // biome-ignore lint/suspicious/noExplicitAny: the same
      .map(({ relevance: _, snippets, ...rest }: any) =>
        JSON.stringify([rest, snippets.map((each: object) => JSON.stringify(each)).toSorted()]),
      )
      .toSorted(),
    tried,
    translated,
    notes,
    expanded: guidance.state.expandedTerms,
  }
}

async function sameFound(chat: string, words: string, as: 'letters' | 'search'): Promise<void> {
  const [first, second] = await Promise.all(
    [one, other].map(({ service }) => readerFor(service, { kind: 'owner' }).find(chat, words, as)),
  )
  assert.deepEqual(first, second, `${chat} ${words}`)
}

function secrets(): string[] {
  return Object.values(ONE)
}

/** What stands before a secret, and what is said in its place. */
function places(): [lead: string, mask: string, secret: string][] {
  return [
    ['alpha request ', 'secret', ONE.named],
    ['DB_PASSWORD=', 'password', ONE.named],
    ['beta request ', 'GitHub', ONE.form],
    ['password: ', 'password', ONE.short],
    ['ADMIN_PASSWORD ', 'secret', ONE.digits],
    ['password ', 'secret', ONE.short],
    ['X-Auth-Token value ', 'secret', ONE.camel],
  ]
}

function beginningsOf(secret: string): string[] {
  return [1, 4].map((length) => secret.slice(0, length))
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
