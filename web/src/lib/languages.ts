/** What code can be coloured in. Dialects share a grammar: those of JavaScript are 180 kB each. */
const LANGUAGES = [
  'bash',
  'c',
  'csharp',
  'css',
  'diff',
  'docker',
  'go',
  'html',
  'ini',
  'java',
  'json',
  'kotlin',
  'lua',
  'make',
  'markdown',
  'php',
  'powershell',
  'python',
  'rust',
  'scss',
  'sql',
  'swift',
  'toml',
  'tsx',
  'xml',
  'yaml',
] as const

export type Grammar = (typeof LANGUAGES)[number]

/** The grammar for what stands after a fence or behind a file's dot. */
export function grammarOf(name: string): Grammar | undefined {
  const given = name.toLowerCase()
  const meant = OTHER_NAMES[given] ?? given
  return LANGUAGES.find((each) => each === meant)
}

/** `src/cart.ts` is written in `ts`. */
export function languageOfFile(path: string): string | undefined {
  return /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase()
}

const OTHER_NAMES: Record<string, Grammar> = {
  'c++': 'c',
  cc: 'c',
  cjs: 'tsx',
  console: 'bash',
  cpp: 'c',
  cs: 'csharp',
  dockerfile: 'docker',
  env: 'ini',
  golang: 'go',
  h: 'c',
  hpp: 'c',
  htm: 'html',
  javascript: 'tsx',
  js: 'tsx',
  jsonc: 'json',
  jsonl: 'json',
  jsx: 'tsx',
  kt: 'kotlin',
  makefile: 'make',
  md: 'markdown',
  mjs: 'tsx',
  mts: 'tsx',
  patch: 'diff',
  postgresql: 'sql',
  ps1: 'powershell',
  py: 'python',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  shellscript: 'bash',
  svg: 'xml',
  ts: 'tsx',
  typescript: 'tsx',
  yml: 'yaml',
  zsh: 'bash',
}
