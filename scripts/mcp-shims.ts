/**
 * What the MCP server's package asks of its runtime, for our bundles: as in Node, but without a validator of JSON
 * schemas. It would be 40 to 120 kB of code, loaded at each start, for answers to forms that we never send.
 */

export { default as process } from 'node:process'

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('The answer to a form cannot be checked: this server sends none.')
  }
}
