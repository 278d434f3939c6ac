/**
 * Bundles the extension into vscode/dist: a small start-up file, a chunk for each part that is
 * loaded when it is first used, and `recollect mcp`, which VS Code runs for its agents.
 * `--package` packs the .vsix as well.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { bundledModules } from './bundle.ts'
import { packSmaller } from './pack-smaller.ts'
import { toolBin } from './tools.ts'
import { askingForEditor, roomChunks } from './vscode-chunks.ts'

const root = path.join(import.meta.dirname, '..')
const extension = path.join(root, 'vscode')
const dist = path.join(extension, 'dist')

fs.rmSync(dist, { recursive: true, force: true })
await bundledModules({
  dir: dist,
  input: { extension: 'vscode/src/extension.ts', 'mcp-server': 'vscode/src/mcp-server.ts' },
  external: ['vscode'],
  instead: {
    // VS Code asks its server over stdio.
    'src/mcp/http.ts': 'vscode/src/left-out/http.ts',
    // A hub's exchange needs a client of its database.
    'src/hub/background.ts': 'vscode/src/left-out/hub.ts',
    // What it says of itself is shown by VS Code, which is no terminal.
    'src/cli/terminal.ts': 'vscode/src/left-out/terminal.ts',
    'src/cli/paint.ts': 'vscode/src/left-out/terminal.ts',
    // Only the page, the command line and a hub's exchange ask for these.
    ...Object.fromEntries(
      [
        'archive/sqlite/changes-since',
        'archive/sqlite/check',
        'archive/sqlite/embedding',
        'archive/sqlite/files-of-chats',
        'archive/sqlite/let-back',
        'archive/sqlite/note-revived',
        'archive/sqlite/redact-runs',
        'archive/sqlite/remote',
        'archive/sqlite/secrets-at-rest',
        'archive/sqlite/space-views',
        'context/check',
        'context/document',
        'recall/citations',
        'recall/elsewhere',
        'recall/family',
        'recall/find-in-chat',
        'recall/steps',
        'search/facets',
        'sync/source-report',
        'sync/vanishing',
      ].map((name) => [`src/${name}.ts`, 'vscode/src/left-out/others.ts']),
    ),
    // Only the command line writes chats back for their assistants.
    ...Object.fromEntries(
      ['claude-code', 'codex', 'copilot-cli'].map((id) => [
        `src/sources/${id}/revive.ts`,
        'vscode/src/left-out/revival.ts',
      ]),
    ),
  },
  chunkOf: roomChunks(root),
  // A packed extension is taken whole: names without a hash pack better, and there each byte counts.
  chunkFileNames: '[name].part.js',
})

// What runs in a webview stands where that may load files from.
for (const name of ['list.js', 'reader.js']) {
  const script = await rolldown({ input: path.join(extension, 'src', 'webview', name) })
  await script.write({ file: path.join(extension, 'media', name), minify: true, comments: false })
  await script.close()
}

for (const file of fs.readdirSync(dist).filter((name) => /^mcp-server\.js$|-worker\.js$/.test(name))) {
  const asking = askingForEditor(dist, file)
  if (asking.length > 0)
    throw new Error(`${file} runs without VS Code, and loads ${asking}, which asks for it.`)
}

for (const name of ['list.css', 'reader.css']) {
  const style = fs.readFileSync(path.join(extension, 'src', 'webview', name), 'utf8')
  fs.writeFileSync(path.join(extension, 'media', name), withoutBlanks(style))
}

/** Of a style sheet of ours, which has no strings with signs of its own in them. */
function withoutBlanks(style: string): string {
  return style
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/;}/g, '}')
    .replace(/([{;][\w-]+): /g, '$1:')
}

if (process.argv.includes('--package')) {
  const { name, version } = JSON.parse(fs.readFileSync(path.join(extension, 'package.json'), 'utf8'))
  const file = path.join(extension, `${name}-${version}.vsix`)
  const pack = ['package', '--no-dependencies', '--out', file]
  execFileSync(process.execPath, [toolBin('vsce'), ...pack], { cwd: extension, stdio: 'inherit' })
  await packSmaller(file)
}
