import type { Plugin } from 'rolldown'

/** As the bundler writes a module of Node that is imported, first what Node gives and then that as a module. */
const ASKED = /([\w$]+)=require\("(node:[\w/]+)"\)/g
const MADE = /([\w$]+)=[\w$]+\.[\w$]+\(\1,1\);/g

/**
 * Makes files as `src/platform/built/start.ts` loads them. They have no characters but those of ASCII: V8 keeps two bytes for each character of a text that has a single
 * other one, and they are read without being decoded. What is imported of Node is made a module once, and not in every file.
 */
export const asFunctions: Plugin = {
  name: 'as-functions',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue
      const missing = [...file.imports, ...file.dynamicImports].filter(
        (name) => !(name in bundle) && !name.startsWith('node:'),
      )
      if (missing.length > 0)
        throw new Error(`${file.fileName} asks for ${missing}, which is not in the bundle`)
      const made = new Set<string>()
      file.code = file.code
        .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .replace(MADE, (_, name) => {
          made.add(name)
          return ''
        })
        .replace(ASKED, (asked, name, id) => (made.has(name) ? `${name}=require.module("${id}")` : asked))
    }
  },
}
