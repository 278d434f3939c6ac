import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import type { Archive, Lease } from '../archive/archive.ts'
import { openSqliteArchive as openArchive } from '../archive/sqlite/index.ts'
import { gitRemote } from './git-remote.ts'
import { noteRepositories } from './repositories.ts'

const temp = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-remotes-')))
after(() => fs.rmSync(temp, { recursive: true, force: true }))

function at(...parts: string[]): string {
  return path.join(temp, ...parts)
}

function put(file: string, content: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, content)
}

test('the remote is that of the checkout around a folder, as git itself lays it out', () => {
  const git = (folder: string, ...args: string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'protocol.file.allow=always', ...args],
      {
        cwd: folder,
        stdio: 'pipe',
        env: { ...process.env, GIT_CONFIG_GLOBAL: os.devNull, GIT_CONFIG_SYSTEM: os.devNull },
      },
    )
  const shop = at('shop')
  fs.mkdirSync(path.join(shop, 'src', 'deep'), { recursive: true })
  git(shop, 'init', '-q')
  git(shop, 'commit', '-q', '--allow-empty', '-m', 'first')
  assert.equal(gitRemote(shop), null)
  git(shop, 'remote', 'add', 'upstream', 'https://github.com/acme/shop.git')
  assert.equal(gitRemote(shop), 'github.com/acme/shop')
  git(shop, 'remote', 'add', 'origin', 'git@github.com:me/shop.git')
  assert.equal(gitRemote(path.join(shop, 'src', 'deep')), 'github.com/me/shop')
  git(shop, 'worktree', 'add', '-q', at('shop-fix'))
  assert.equal(gitRemote(at('shop-fix')), 'github.com/me/shop')
  git(shop, 'submodule', '--quiet', 'add', shop, 'lib')
  git(path.join(shop, 'lib'), 'remote', 'set-url', 'origin', 'ssh://git@git.example.com:2222/team/lib.git')
  assert.ok(fs.statSync(path.join(shop, 'lib', '.git')).isFile())
  assert.equal(gitRemote(path.join(shop, 'lib')), 'git.example.com/team/lib')
})

test('what is gone, no checkout or broken says nothing', () => {
  assert.equal(gitRemote(at('gone')), undefined)
  assert.equal(gitRemote('relative'), undefined)
  fs.mkdirSync(at('plain'))
  assert.equal(gitRemote(at('plain')), null)
  put(at('odd', '.git'), 'gitdir: ../nowhere\n')
  assert.equal(gitRemote(at('odd')), null)
  put(at('local', '.git', 'config'), '[remote "origin"]\n\turl = /srv/git/shop.git\n')
  assert.equal(gitRemote(at('local')), null)
  put(
    at('two', '.git', 'config'),
    '[remote "a"]\r\n url = ../x\r\n[remote "b"]\r\n\tURL = "https://b.example/x/y"\r\n',
  )
  assert.equal(gitRemote(at('two')), 'b.example/x/y')
})

async function archiveWith(chats: Record<string, { workspace: string; repository?: string }>): Promise<{
  archive: Archive
  lease: Lease
}> {
  const archive = openArchive(fs.mkdtempSync(at('archive-')))
  const lease = (await archive.takeLease('test')) as Lease
  for (const [id, header] of Object.entries(chats))
    await archive.write(
      [
        {
          ...{
            source: 'codex',
            path: `/${id}`,
            rank: 0,
            generation: 1,
            begins: true,
            completes: false,
            problems: [],
          },
          fingerprint: { stamp: '1', inode: 1, size: 1, mtime: 1, head: '', tail: '' },
          chats: [{ source: 'codex', id, ...header }],
          messages: [
            { chatId: id, message: { id, order: 1, role: 'user', kind: 'request', text: `about ${id}` } },
          ],
        },
      ],
      lease,
    )
  return { archive, lease }
}

test('chats are found by the repository of their folder, however it is asked for', async () => {
  put(at('one', '.git', 'config'), '[remote "origin"]\n\turl = git@github.com:Acme/Store.git\n')
  put(
    at('two-checkouts', '.git', 'config'),
    '[remote "origin"]\n\turl = https://me:pw@github.com/acme/store\n',
  )
  const { archive, lease } = await archiveWith({
    first: { workspace: at('one') },
    second: { workspace: at('two-checkouts') },
    recorded: { workspace: at('gone'), repository: 'https://github.com/acme/store.git' },
    hostless: { workspace: at('gone'), repository: 'acme/store' },
    other: { workspace: at('one'), repository: 'git@gitlab.com:acme/store.git' },
  })
  await noteRepositories(archive, lease)
  const ids = async (repository: string) =>
    (await archive.listChats({ repository })).map(({ id }) => id).sort()
  for (const asked of [
    'git@github.com:acme/store.git',
    'github.com/Acme/Store',
    'https://github.com/acme/store',
  ])
    assert.deepEqual(await ids(asked), ['first', 'hostless', 'recorded', 'second'], asked)
  for (const asked of ['acme/store', 'STORE']) assert.equal((await ids(asked)).length, 5, asked)
  assert.deepEqual(await ids('tore'), [])
  assert.equal((await archive.resolveChat('first')).repository, 'github.com/Acme/Store')
  assert.equal((await archive.resolveChat('other')).repository, 'gitlab.com/acme/store')
  assert.deepEqual(
    (await archive.origins()).repository.map(({ chats }) => chats),
    [3, 1, 1],
  )
  await archive.close()
})

test('a folder is asked once, keeps what is known when it is gone, and is asked again when it changed', async () => {
  const folder = at('asked')
  put(path.join(folder, '.git', 'config'), '[remote "origin"]\n\turl = git@github.com:acme/old.git\n')
  const { archive, lease } = await archiveWith({ chat: { workspace: folder } })
  const { key } = await archive.resolveChat('chat')
  const repository = async () => (await archive.resolveChat('chat')).repository
  await noteRepositories(archive, lease, [key])
  assert.equal(await repository(), 'github.com/acme/old')
  assert.deepEqual(await archive.unaskedFolders(0, [key]), [])
  assert.deepEqual(await archive.unaskedFolders(0), [])
  assert.deepEqual(await archive.unaskedFolders(Date.now() + 1, [key]), [folder])
  put(path.join(folder, '.git', 'config'), '[remote "origin"]\n\turl = git@github.com:acme/new.git\n')
  await archive.noteRemotes([{ folder, remote: gitRemote(folder) }], lease)
  assert.equal(await repository(), 'github.com/acme/new')
  fs.rmSync(folder, { recursive: true })
  await archive.noteRemotes([{ folder, remote: gitRemote(folder) }], lease)
  assert.equal(await repository(), 'github.com/acme/new')
  await archive.close()
})

test('blanks without end are read in no time', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recollect-blanks-'))
  const blanks = ' '.repeat(200_000)
  try {
    fs.mkdirSync(path.join(folder, 'one', '.git'), { recursive: true })
    fs.writeFileSync(path.join(folder, 'one', '.git', 'config'), `[remote "origin"]\n\turl =${blanks}a\ra`)
    fs.mkdirSync(path.join(folder, 'two'))
    fs.writeFileSync(path.join(folder, 'two', '.git'), `gitdir: x${blanks}x`)
    for (const name of ['one', 'two']) assert.ok(!gitRemote(path.join(folder, name)))
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
})
