import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Archive } from '../../archive/archive.ts'
import { openSqliteArchive } from '../../archive/sqlite/index.ts'
import { searchConversations } from '../search.ts'
import { tell } from '../test-kit.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-articles-'))
let archive: Archive

before(async () => {
  archive = openSqliteArchive(folder)
  const said = {
    talk: "Les tests sont dans une branche, ce n'est pas prêt pour demain",
    parla: 'Questi sono i file che servono per una prova della rete con la posta',
    login: "Il faut corriger l'authentification, sans droit d’accès rien ne marche",
    bare: 'Une authentification par clé',
    danger: 'There is danger ahead',
    rete: "Serve una copia dell'applicazione",
  }
  await tell(
    archive,
    Object.entries(said).map(([id, text]) => ({ id, messages: [{ text: 'Bonjour' }, { text }] })),
  )
})
after(async () => {
  await archive.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const FINDS: [query: string, chats: string[]][] = [
  ['authentification', ['bare', 'login']],
  ["l'authentification", ['bare', 'login']],
  ['accès', ['login']],
  ['applicazione', ['rete']],
  ['anger', []],
]
for (const [query, chats] of FINDS)
  test(`an article that is written as one with its word hides no chat: ${query}`, async () => {
    const { results } = await searchConversations(archive, { query })
    assert.deepEqual(results.map(({ chatId }) => chatId).toSorted(), chats)
    for (const { snippets } of results) assert.ok(snippets[0]!.marks.length > 0)
  })
