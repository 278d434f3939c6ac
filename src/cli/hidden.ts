import { RecollectError } from '../model/errors.ts'

/** Reads a secret from the keyboard without showing it, or else from what is piped in. */
export async function secretFrom(question: string): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) {
    const chunks: Buffer[] = []
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks).toString('utf8').trim()
  }
  // Before it is asked for: what is typed at once would be shown.
  stdin.setRawMode(true)
  try {
    stderr.write(question)
    return await typed()
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    stderr.write('\n')
  }
}

/** Up to the Enter key; Ctrl-C and Ctrl-D give up. */
function typed(): Promise<string> {
  const { stdin } = process
  return new Promise((resolve, reject) => {
    let line = ''
    const take = (chunk: Buffer) => {
      // Some terminals put marks around what is pasted.
      for (const sign of chunk.toString('utf8').replace(/\u001b\[20[01]~/g, '')) {
        if (sign === '\r' || sign === '\n') return end(() => resolve(line))
        if (sign === '\u0003' || sign === '\u0004') return end(() => reject(gaveUp()))
        if (sign === '\u007f' || sign === '\b') line = line.slice(0, -1)
        else if (sign === '\u0015') line = ''
        else if (sign >= ' ') line += sign
      }
    }
    const end = (then: () => void) => {
      stdin.off('data', take)
      then()
    }
    stdin.on('data', take)
    stdin.resume()
  })
}

function gaveUp(): RecollectError {
  return new RecollectError('INVALID_ARGUMENT', 'No key was entered. Nothing was changed.')
}
