import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasHost, plainRepository, repositoryKey, repositoryOf } from './repository.ts'

test('a repository is one however its remote is written, and no password is kept', () => {
  for (const remote of [
    'git@github.com:Acme/shop.git',
    'github.com:Acme/shop',
    'ssh://git@github.com/Acme/shop.git',
    'ssh://git@github.com:2222/Acme/shop.git/',
    'https://github.com/Acme/shop',
    'https://github.com/Acme/shop.git',
    'https://me:ghp_secret@GitHub.com/Acme/shop.git',
    'https://x-access-token@github.com:443/Acme/shop/',
    'git://github.com/Acme/shop.git',
    'git+ssh://git@github.com/Acme/shop.git',
    'github.com/Acme/shop',
    '  https://github.com/Acme/shop?tab=readme#about ',
  ])
    assert.equal(plainRepository(remote), 'github.com/Acme/shop', remote)
  assert.equal(repositoryKey('git@github.com:Acme/Shop.git'), 'github.com/acme/shop')
})

test('groups within groups, Azure, and what names no host', () => {
  const cases: Record<string, string | undefined> = {
    'git@gitlab.corp.example:team/sub/app.git': 'gitlab.corp.example/team/sub/app',
    'https://me@dev.azure.com/org/Some%20Project/_git/app': 'dev.azure.com/org/Some Project/app',
    'git@ssh.dev.azure.com:v3/org/Some%20Project/app': 'dev.azure.com/org/Some Project/app',
    'acme/shop': 'acme/shop',
    shop: undefined,
    '': undefined,
    '/srv/git/shop.git': undefined,
    '../shop': undefined,
    './shop.git': undefined,
    '~/shop': undefined,
    'C:\\work\\shop': undefined,
    'C:/work/shop': undefined,
    'file:///srv/git/shop.git': undefined,
    'https://github.com': undefined,
    'https://github.com/': undefined,
  }
  for (const [remote, plain] of Object.entries(cases)) assert.equal(plainRepository(remote), plain, remote)
  assert.deepEqual(['acme/shop', 'github.com/acme/shop'].map(hasHost), [false, true])
})

test('what the assistant recorded counts where it names a host, else what the folder says', () => {
  assert.equal(repositoryOf('git@a.example:x/y.git', 'b.example/x/y'), 'a.example/x/y')
  assert.equal(repositoryOf('x/y', 'b.example/x/y'), 'b.example/x/y')
  assert.equal(repositoryOf('x/y', undefined), 'x/y')
  assert.equal(repositoryOf(undefined, 'b.example/x/y'), 'b.example/x/y')
  assert.equal(repositoryOf(undefined, undefined), undefined)
})
