import path from 'node:path'
import type { Plugin } from 'rolldown'

const layout = path.join(import.meta.dirname, 'terminal-layout.ts')

/** What the terminal's library asks and waits for while it is loaded, where it is being worked on itself. */
const WAITS = [
  "import.meta.resolve('react-devtools-core')",
  "await import('./devtools.js')",
  'await loadPackageJson()',
]

/** Makes the terminal's library one that does not wait while it is loaded: a function cannot, and files are loaded as functions. */
export const terminalLibrary: Plugin = {
  name: 'terminal-library',
  resolveId(source, importer) {
    const isOurs =
      importer !== undefined && source === './library-is-there.ts' && /[\\/]browse[\\/]/.test(importer)
    return isOurs || source === 'yoga-layout' ? layout : undefined
  },
  transform(code, id) {
    if (!/[\\/]ink[\\/]build[\\/]reconciler\.js$/.test(id)) return undefined
    let without = code
    for (const wait of WAITS) {
      if (!without.includes(wait)) throw new Error(`the terminal's library no longer says ${wait}`)
      without = without.replace(wait, '({})')
    }
    return without
  },
}
