/**
 * What the MCP server's package asks of its runtime, for our bundles: as in Node, but with the smaller of the two
 * validators that it brings. Ajv is 120 kB of code, compiled at each start, for answers to forms that we never send.
 */

export { default as process } from 'node:process'
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker'
