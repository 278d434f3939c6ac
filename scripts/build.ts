/**
 * Bundles the command line into dist/: one start-up file and a chunk for each command, with all
 * that they need, so that the package installs without dependencies.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { bundleCommand } from './bundle.ts'
import { clientDeclarations } from './client-types.ts'

const dist = path.join(import.meta.dirname, '..', 'dist')

// dist/page is built by build-page.ts, and kept.
for (const name of fs.existsSync(dist) ? fs.readdirSync(dist) : [])
  if (name !== 'page') fs.rmSync(path.join(dist, name), { recursive: true, force: true })
await bundleCommand(dist)
fs.writeFileSync(path.join(dist, 'client.d.ts'), clientDeclarations())
const manual = execFileSync(process.execPath, [path.join(dist, 'recollect.cjs'), '__man'])
fs.writeFileSync(path.join(dist, 'recollect.1'), manual)
