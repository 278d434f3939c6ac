import type { Plugin } from 'rolldown'

/** A file that does nothing but pass on what another one exports, as written for what is loaded later from a shared chunk. */
const FACADE = /^(?:import"\.\/[^"]+";)*export\{([^}]*)\}from"(\.\/[^"]+)";\s*$/

/** Has what is loaded later loaded from its chunk itself: some hundred files of a line each would only pass it on. */
export const withoutFacades: Plugin = {
  name: 'without-facades',
  generateBundle(_, bundle) {
    const instead = new Map<string, string>()
    for (const [name, file] of Object.entries(bundle)) {
      if (file.type !== 'chunk' || file.isEntry) continue
      const [, names = '', chunk] = FACADE.exec(file.code) ?? []
      if (!chunk) continue
      const given = names.split(',').map((each) => {
        const [inside = '', outside = inside] = each.split(' as ')
        return `${outside}:m.${inside}`
      })
      instead.set(`import("./${name}")`, `import("${chunk}").then(m=>({${given.join()}}))`)
      delete bundle[name]
    }
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue
      file.code = file.code.replace(/import\(["'`]\.\/[^"'`]+["'`]\)/g, (call) => {
        return instead.get(call.replace(/['`]/g, '"')) ?? call
      })
    }
  },
}
