import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

/**
 * code-server takes proposed API from anybody, so a run in it cannot notice a forbidden use. What is
 * published is known by the types of the oldest version that we support, and by the manifest.
 */
const root = path.join(import.meta.dirname, '..', '..')
const manifest = read('package.json')
const types = JSON.parse(
  fs.readFileSync(path.join(root, '..', 'node_modules', '@types', 'vscode', 'package.json'), 'utf8'),
)

test('what is compiled against is the oldest version that the manifest promises', () => {
  const [, major, minor] = /^\^(\d+)\.(\d+)\.\d+$/.exec(manifest.engines.vscode) ?? []
  assert.equal(`${major}.${minor}`, types.version.split('.').slice(0, 2).join('.'))
  assert.equal(manifest.devDependencies['@types/vscode'], types.version)
})

test('a use of proposed API does not compile', () => {
  const folder = fs.mkdtempSync(path.join(root, 'src', 'tmp-'))
  try {
    fs.writeFileSync(
      path.join(folder, 'forbidden.ts'),
      `import * as vscode from 'vscode'\nexport const forbidden = vscode.chat.registerChatSessionItemProvider\n`,
    )
    const tsc = path.join(root, '..', 'node_modules', '.bin', 'tsc')
    const { stdout, status } = spawnSync(tsc, ['--noEmit', '-p', root], { encoding: 'utf8' })
    assert.notEqual(status, 0)
    const lines = stdout.split('\n').filter((line) => line.includes('error TS'))
    assert.equal(lines.length, 1, stdout)
    assert.match(lines[0] ?? '', /forbidden\.ts.*registerChatSessionItemProvider/)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
})

test('no code goes around the types to the API', () => {
  const files = fs.globSync('src/**/*.ts', { cwd: root })
  assert.ok(files.length > 30)
  for (const file of files) {
    const text = fs.readFileSync(path.join(root, file), 'utf8')
    assert.doesNotMatch(
      text,
      /vscode\w*\s+as\s+(any|unknown|never)|vscode\[|@ts-(ignore|expect-error|nocheck)/,
      file,
    )
  }
})

test('the manifest asks for nothing that is proposed', () => {
  assert.deepEqual(proposedIn(manifest), [])
  const asking = structuredClone(manifest)
  asking.enabledApiProposals = ['chatParticipantPrivate']
  asking.contributes.chatSessions = []
  asking.contributes.menus['chat/input'] = []
  asking.contributes.languageModelTools[0]!.name = 'copilot_x'
  assert.equal(proposedIn(asking).length, 4, 'each of them would be noticed')
})

test('it is ready to be published', () => {
  for (const field of [
    'repository',
    'bugs',
    'icon',
    'galleryBanner',
    'categories',
    'keywords',
    'license',
    'publisher',
  ])
    assert.ok(manifest[field], field)
  assert.ok(manifest.keywords.length <= 30)
  const icon = fs.readFileSync(path.join(root, manifest.icon))
  assert.ok(icon.readUInt32BE(16) >= 128 && icon.readUInt32BE(20) >= 128, 'the icon is 128 pixels wide')
  const readme = fs.readFileSync(path.join(root, 'README.md'), 'utf8')
  const pictures = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, target = '']) => target)
  assert.ok(pictures.length >= 2)
  for (const target of pictures) {
    assert.match(
      target,
      /^https:\/\/.+\.png$/,
      'the marketplace shows no SVG, and nothing by a relative path outside',
    )
    const file = target.replace(/^.*\/docs\/images\//, '')
    assert.ok(fs.existsSync(path.join(root, '..', 'docs', 'images', file)), target)
  }
})

/** What only extensions with an agreement of the marketplace's may have. */
function proposedIn(given: Manifest): string[] {
  const { contributes } = given
  return [
    ...(given.enabledApiProposals ? ['enabledApiProposals'] : []),
    ...Object.keys(contributes).filter((point) => !PUBLISHED.has(point)),
    ...Object.keys(contributes.menus).filter((menu) => !MENUS.has(menu)),
    ...contributes.languageModelTools
      .map(({ name }) => name)
      .filter((name) => /^(copilot|vscode)_/.test(name)),
  ]
}

/** Of VS Code 1.104, as far as we use it. */
const PUBLISHED = new Set(
  `viewsContainers views commands menus keybindings configuration languageModelTools
  mcpServerDefinitionProviders chatParticipants walkthroughs`.split(/\s+/),
)
const MENUS = new Set(['view/title', 'webview/context', 'editor/title', 'commandPalette'])

interface Manifest extends Record<string, unknown> {
  engines: { vscode: string }
  devDependencies: Record<string, string>
  keywords: string[]
  icon: string
  contributes: { menus: Record<string, unknown>; languageModelTools: { name: string }[] } & Record<
    string,
    unknown
  >
}

function read(file: string): Manifest {
  return JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'))
}
