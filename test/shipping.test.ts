import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { z } from 'zod'
import { MANIFESTS, released, withVersion } from '../scripts/version.ts'
import { capabilities } from '../src/capabilities/index.ts'
import { machine, root } from './run-cli.ts'

const text = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')
const json = (file: string) => JSON.parse(text(file))
const manifest = json('package.json')

const PLUGIN = 'plugin/recollect'
const SKILL = `${PLUGIN}/skills/recollect/SKILL.md`

test('every manifest has the version of the package', () => {
  const marketplace = json('plugin/.claude-plugin/marketplace.json')
  const server = json('server.json')
  const versions: Record<string, string> = {
    'plugin/.claude-plugin/marketplace.json': marketplace.metadata.version,
    'plugin/.claude-plugin/marketplace.json, the plugin': marketplace.plugins[0].version,
    'server.json': server.version,
    'server.json, the package': server.packages[0].version,
  }
  for (const file of [
    `${PLUGIN}/.claude-plugin/plugin.json`,
    `${PLUGIN}/.codex-plugin/plugin.json`,
    `${PLUGIN}/gemini-extension.json`,
    'plugin/bundle/manifest.json',
  ])
    versions[file] = json(file).version
  const wrong = Object.entries(versions).filter(([, version]) => version !== manifest.version)
  assert.deepEqual(wrong, [], `not ${manifest.version}`)
})

test('the marketplace leads to the plugin, and every manifest calls it by the same name', () => {
  const [listed] = json('plugin/.claude-plugin/marketplace.json').plugins
  assert.ok(fs.statSync(path.join(root, 'plugin', listed.source)).isDirectory())
  for (const file of ['.claude-plugin/plugin.json', '.codex-plugin/plugin.json', 'gemini-extension.json'])
    assert.equal(json(`${PLUGIN}/${file}`).name, listed.name)
  const { skills, mcpServers } = json(`${PLUGIN}/.codex-plugin/plugin.json`)
  for (const part of [skills, mcpServers]) assert.ok(fs.existsSync(path.join(root, PLUGIN, part)), part)
})

const word = z.string().min(1)
const exactVersion = z.string().regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
/** The rules of the registry's schema of 2025-12-11, as far as we use it. */
const registryEntry = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: word.max(100),
  description: word.max(100),
  version: exactVersion,
  packages: z
    .array(
      z.strictObject({
        registryType: z.literal('npm'),
        identifier: word,
        version: exactVersion,
        runtimeHint: word,
        transport: z.strictObject({ type: z.literal('stdio') }),
        packageArguments: z.array(z.strictObject({ type: z.literal('positional'), value: word })),
        environmentVariables: z.array(
          z.strictObject({
            name: word,
            description: word,
            format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
            default: z.string().optional(),
            choices: z.array(z.string()).optional(),
          }),
        ),
      }),
    )
    .min(1),
})

test('the entry for the registry keeps to its rules and names this package', () => {
  const { name, packages } = registryEntry.parse(json('server.json'))
  assert.equal(packages[0]?.identifier, manifest.name)
  // By this the registry sees that the package is ours.
  assert.equal(manifest.mcpName, name)
})

test('the skill keeps to the format of skills', () => {
  const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text(SKILL)) ?? []
  const fields = z
    .strictObject({
      name: z
        .string()
        .max(64)
        .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
      description: word.max(1_024),
      license: word,
      compatibility: word.max(500),
    })
    .parse(parse(front))
  assert.equal(fields.name, path.basename(path.dirname(SKILL)))
  assert.ok(body.split('\n').length < 500)
})

test('the skill names tools and commands that there are', async () => {
  const skill = text(SKILL)
  const known = new Set(capabilities.map(({ name }) => name))
  const arguments_ = new Set(capabilities.flatMap(({ input }) => Object.keys(propertiesOf(input))))
  const named = [...skill.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name!)
  assert.ok(named.length > 10)
  assert.deepEqual(
    named.filter((name) => !known.has(name) && !arguments_.has(name)),
    [],
  )
  const user = machine()
  const { out } = await user.run(['--help'])
  user.remove()
  const commands = new Set([...out.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name!))
  const called = [...skill.matchAll(/`recollect ([a-z]+)/g)].map(([, name]) => name!)
  assert.ok(called.length > 3)
  assert.deepEqual(
    called.filter((name) => !commands.has(name)),
    [],
  )
})

function propertiesOf(input: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }).properties ?? {}
}

test('the workflow runs what there is, on three systems, with the oldest Node and the one that is brought', () => {
  const { jobs } = parse(text('.github/workflows/test.yml'))
  const { engines, devDependencies, scripts } = manifest
  const { os, node } = jobs.systems.strategy.matrix
  assert.deepEqual(os, ['ubuntu-latest', 'macos-latest', 'windows-latest'])
  assert.deepEqual(node, [engines.node.replace('>=', ''), devDependencies.node.split('.')[0]])
  const commands = Object.values<{ steps: { run?: string }[] }>(jobs).flatMap(({ steps }) =>
    steps.flatMap(({ run }) => run ?? []),
  )
  assert.ok(commands.length > 8)
  for (const command of commands) {
    for (const [, script] of command.matchAll(/npm run (?:--silent )?(\S+)/g))
      assert.ok(script! in scripts, script)
    for (const [, files] of command.matchAll(/\b((?:src|test|bench|vscode|scripts)\/[^\s"]+\.ts)/g))
      assert.ok(fs.globSync(files!, { cwd: root }).length > 0, files)
  }
})

test('the lock files name every package, those of other systems too, so that `npm ci` takes them anywhere', () => {
  for (const file of ['package-lock.json', 'test/tools/package-lock.json']) {
    const packages: Record<string, { optionalDependencies?: Record<string, string> }> = json(file).packages
    for (const [at, { optionalDependencies = {} }] of Object.entries(packages))
      for (const name of Object.keys(optionalDependencies))
        assert.ok(
          `${at}/node_modules/${name}` in packages || `node_modules/${name}` in packages,
          `${file}: ${name}, wanted by ${at}, is missing`,
        )
  }
})

test('a new version is written into every manifest, and nowhere else', () => {
  for (const file of MANIFESTS) {
    const next = JSON.parse(withVersion(file, text(file), manifest.version, '9.8.7'))
    const versionOf = (at: { version?: string; metadata?: { version: string } }) =>
      at.version ?? at.metadata!.version
    assert.equal(versionOf(next), '9.8.7', file)
    if (file !== 'package-lock.json') continue
    for (const own of ['', 'web', 'vscode']) assert.equal(next.packages[own].version, '9.8.7')
    const before = json(file).packages
    for (const [name, { version }] of Object.entries<{ version: string }>(next.packages))
      if (name.startsWith('node_modules/')) assert.equal(version, before[name].version, name)
  }
  assert.throws(
    () => withVersion('server.json', text('server.json'), '4.4.4', '9.8.7'),
    /server\.json is not at 4\.4\.4/,
  )
  assert.equal(
    released('# Changelog\n\n## Unreleased\n\n- New.\n', '9.8.7', new Date('2026-07-01T12:00:00Z')),
    '# Changelog\n\n## Unreleased\n\n## 9.8.7 (2026-07-01)\n\n- New.\n',
  )
})

test('a release is tested, built and signed by the workflow, from the tag of its version', () => {
  const { on, jobs } = parse(text('.github/workflows/release.yml'))
  assert.deepEqual(on.push.tags, ['v*'])
  const steps: { run?: string; uses?: string }[] = jobs.release.steps
  const commands = steps.map(({ run = '' }) => run).join('\n')
  for (const part of ['.ci/run', 'npm run release', 'npm publish', '--provenance'])
    assert.ok(commands.includes(part), part)
  assert.equal(jobs.release.permissions['id-token'], 'write')
  assert.ok(steps.some(({ uses = '' }) => uses.startsWith('actions/attest-build-provenance@')))
})
