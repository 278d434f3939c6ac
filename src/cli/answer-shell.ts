import type { Command } from 'commander'

/** For shells and for the package, not for people: `__complete words…`, `__man`. */
export async function answerShell(cli: Command, [name, ...words]: string[]): Promise<boolean> {
  if (name !== '__complete' && name !== '__man') return false
  const shell = await import('./commands/shell.ts')
  if (name === '__man') shell.printManual(cli)
  else await shell.complete(cli, words).catch(() => {})
  return true
}
