import { fixturesOf } from '../fixture-kit.ts'

const code = fixturesOf(import.meta.dirname, 'kimi-code', { whole: /^(.*[\\/]session_[^\\/]+)[\\/](.*)$/ })
const cli = fixturesOf(import.meta.dirname, 'kimi-cli', { whole: /^(.*[\\/][0-9a-f-]{36})[\\/](.*)$/ })

export const homes = [code.copied('code', '.kimi-code'), cli.copied('cli', '.kimi')]
