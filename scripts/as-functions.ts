import type { Plugin } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'

/** As the bundler writes a module of Node that is imported, first what Node gives and then that as a module. */
const ASKED = /([\w$]+)=require\("(node:[\w/]+)"\)/g
const MADE = /([\w$]+)=[\w$]+\.[\w$]+\(\1,1\);/g
/** And what a file exports, so that others see it change. */
const EXPORTED =
  /Object\.defineProperty\(exports,"([\w$]+)",\{enumerable:!0,get:function\(\)\{return ([\w$]+)\}\}\)/g

/**
 * Makes files as `src/platform/built/start.ts` loads them. They have no characters but those of ASCII: V8 keeps two bytes for each character of a text that has a single
 * other one, and they are read without being decoded. What is imported of Node is made a module once, and not in every file.
 * What does not change is exported as it is: asked for by a call each time, it took some hundredths of a first sync.
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
      const steady = steadyNames(file.code)
      const made = new Set<string>()
      file.code = file.code
        .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .replace(MADE, (_, name) => {
          made.add(name)
          return ''
        })
        .replace(ASKED, (asked, name, id) => (made.has(name) ? `${name}=require.module("${id}")` : asked))
        .replace(EXPORTED, (asked, name, given) => (steady.has(given) ? `exports.${name}=${given}` : asked))
    }
  },
}

/** Functions, classes and constants of a file: what it exports stands at its end, when they are there. */
function steadyNames(code: string): Set<string> {
  const names = new Set<string>()
  for (const statement of parseAst(code).body) {
    if (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration')
      names.add(statement.id!.name)
    if (statement.type !== 'VariableDeclaration') continue
    for (const { id, init } of statement.declarations) {
      // The bundler turns classes into variables.
      const isSteady = statement.kind === 'const' || init?.type === 'ClassExpression'
      if (id.type === 'Identifier' && isSteady) names.add(id.name)
    }
  }
  return names
}
