/**
 * `node scripts/version.ts 1.2.3`: writes the version into every manifest, and makes what is unreleased in the
 * changelog that version's.
 */
import fs from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')

/** Every file that names the version of what we ship, the lock file with the workspaces included. */
export const MANIFESTS = [
  'package.json',
  'package-lock.json',
  'web/package.json',
  'vscode/package.json',
  'server.json',
  'plugin/.claude-plugin/marketplace.json',
  'plugin/recollect/.claude-plugin/plugin.json',
  'plugin/recollect/.codex-plugin/plugin.json',
  'plugin/recollect/gemini-extension.json',
  'plugin/bundle/manifest.json',
]

if (import.meta.main) {
  const [to = ''] = process.argv.slice(2)
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(to)) {
    console.error('Which version? For example: node scripts/version.ts 0.2.0')
    process.exit(2)
  }
  const from = JSON.parse(read('package.json')).version
  for (const file of MANIFESTS) write(file, withVersion(file, read(file), from, to))
  write('CHANGELOG.md', released(read('CHANGELOG.md'), to, new Date()))
  console.log(`${from} → ${to} in ${MANIFESTS.length} manifests and CHANGELOG.md. Next: npm run release`)
}

/** The text of a manifest with our version changed and everything else as it was. */
export function withVersion(file: string, text: string, from: string, to: string): string {
  const ours = `"version": "${from}"`
  if (file === 'package-lock.json') {
    // Only the package's and the workspaces' own entries; dependencies may have the same number.
    const own = /("(?:|web|vscode)": \{\n\s+"name": "[^"]+",\n\s+"version": ")[^"]+(")/g
    return text
      .replace(`${ours},\n  "lockfileVersion"`, `"version": "${to}",\n  "lockfileVersion"`)
      .replace(own, `$1${to}$2`)
  }
  if (!text.includes(ours)) throw new Error(`${file} is not at ${from}`)
  return text.replaceAll(ours, `"version": "${to}"`)
}

/** The changelog with what was unreleased under its version and day. */
export function released(changelog: string, version: string, day: Date): string {
  const heading = '## Unreleased\n'
  if (!changelog.includes(heading)) throw new Error('CHANGELOG.md has nothing unreleased')
  return changelog.replace(heading, `${heading}\n## ${version} (${day.toISOString().slice(0, 10)})\n`)
}

function read(file: string): string {
  return fs.readFileSync(path.join(root, file), 'utf8')
}

function write(file: string, text: string): void {
  fs.writeFileSync(path.join(root, file), text)
}
