/** Loaded before the tests: the module `vscode`, which only an editor has, is the fake beside this file. */
import { registerHooks } from 'node:module'

const fake = new URL('./fake-vscode.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: fake, shortCircuit: true } : next(specifier, context),
})
