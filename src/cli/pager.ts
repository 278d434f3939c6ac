import { spawn } from 'node:child_process'
import { forTerminal } from './terminal.ts'

/** Prints through the user's pager on a terminal, directly elsewhere or where there is none. */
export async function page(lines: Iterable<string>, paged: boolean): Promise<void> {
  const text = `${[...lines].join('\n')}\n`
  const fits = text.split('\n').length < (process.stdout.rows ?? 0)
  if (!paged || !process.stdout.isTTY || fits || !(await throughPager(text))) process.stdout.write(text)
}

function throughPager(text: string): Promise<boolean> {
  const command = process.env.PAGER || (process.platform === 'win32' ? 'more' : 'less')
  const pager = spawn(command, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...process.env, LESS: process.env.LESS ?? '-RFX' },
  })
  return new Promise((resolve) => {
    // Ctrl-C belongs to the pager; leaving it early breaks the pipe, which is no error.
    const ignore = () => {}
    process.on('SIGINT', ignore)
    const done = (shown: boolean) => {
      process.off('SIGINT', ignore)
      resolve(shown)
    }
    pager.on('error', () => done(false))
    // What a shell says of a program that is not there: 9009 is that of Windows.
    pager.on('close', (code) => done(code !== 127 && code !== 126 && code !== 9009))
    pager.stdin.on('error', () => {})
    pager.stdin.end(forTerminal(text))
  })
}
