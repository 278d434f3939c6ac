import { setTimeout as sleep } from 'node:timers/promises'
import { keepExchanging } from './keep.ts'
import { openMachine, say } from './test-machine.ts'

/** A machine that says things and changes them, and exchanges them all the while, until it is killed. */
const [folder = '', name = ''] = process.argv.slice(2)
const { archive, write } = openMachine(folder)
void keepExchanging({
  archive,
  folder,
  signal: new AbortController().signal,
  // Whoever started this hears how often it got through.
  onExchanged: (exchanged) => exchanged.some(({ pushed }) => pushed > 0) && process.stdout.write('.'),
})
const any = (below: number) => Math.floor(Math.random() * below)
for (;;) {
  const space = ['red', 'blue'][any(2)]
  const chat = `${name}-${space}-${any(4)}`
  const messages = Array.from({ length: 1 + any(8) }, () => any(60)).map((n) =>
    say(n, `${chat} ${n} ${any(1e9)}`),
  )
  await write({ id: chat, workspace: `/work/${space}`, updatedAt: Date.now() }, messages)
  await sleep(15)
}
