/**
 * A process that appends to a context file, for tests of many of them: `workspace id count`. Says
 * each entry that is safely written, with its timestamp, in one line.
 */
import fs from 'node:fs'
import { appendContext } from './append.ts'
import { contextPlace } from './place.ts'

const [workspace = '', id = '', count = '1', filler = '0'] = process.argv.slice(2)
const place = contextPlace({ workspace, env: {} }, 'WRITE_ERROR')

for (let n = 0; n < Number(count); n++) {
  const content = `<${id}-${n}>\n## 2020-01-01 00:00 — not an entry\n${'x'.repeat(Number(filler))}</${id}-${n}>`
  try {
    const { timestamp } = await appendContext(place, { title: `${id}-${n}`, content })
    fs.writeSync(1, `${id}-${n}\t${timestamp}\n`)
  } catch (error) {
    fs.writeSync(1, `${id}-${n}\t${(error as { code: string }).code}\n`)
  }
}
