import { parentPort, workerData } from 'node:worker_threads'
import { openTexts, type Texts, type Wanted } from '../archive/sqlite/texts.ts'
import type { RecollectError } from '../model/errors.ts'
import { inBytes } from './regex-bytes.ts'
import { requiredRun } from './regex-literal.ts'
import { relaxed } from './regex-relaxed.ts'
import type { Asked, Found, Marks, Pattern } from './regex-threads.ts'

/**
 * A thread of `regexSearch`: looks through chats for a pattern, and says where it matches in texts. It reads the
 * archive itself, so that who serves does not wait for it. A pattern that takes forever takes only this thread.
 */
const { folder } = workerData as { folder: string }
const MOST_MARKS = 20
let texts: Texts | undefined

parentPort?.on('message', (asked: Asked) => {
  try {
    parentPort?.postMessage(answerTo(asked))
  } catch (error) {
    const { code = 'INTERNAL', message, hint } = error as RecollectError
    parentPort?.postMessage({ failed: { code, message, hint } })
  }
})

function answerTo(asked: Asked): unknown {
  if ('ends' in asked) {
    texts?.close()
    texts = undefined
    return {}
  }
  const pattern = new RegExp(asked.pattern.source, asked.pattern.flags)
  if ('texts' in asked) return asked.texts.map((text) => marksIn(pattern, text))
  texts ??= openTexts(folder)
  const wanted = {
    ...lookedFor(asked.pattern),
    matches(text: string) {
      pattern.lastIndex = 0
      return pattern.test(text)
    },
  }
  const found: Found[] = []
  for (const chat of asked.chats) {
    const held = texts.matching(chat, asked.fields, wanted)
    if (held.length > 0) found.push({ chat, texts: held })
  }
  return found
}

/** What bytes must hold, before they are taken apart or parsed: letters that every match holds, and the pattern or parts of it. */
function lookedFor({ source, flags }: Pattern): Pick<Wanted, 'inTexts' | 'inJson'> {
  const run = flags.includes('i') ? undefined : requiredRun(source, flags)
  const hasRun = (bytes: Buffer) => run === undefined || bytes.includes(run)
  const { pattern, inJson = [] } = relaxed(source, flags) ?? {}
  const inText = pattern && tester(pattern, flags)
  const partsInJson = inJson.map((part) => tester(part, flags))
  return {
    inTexts: (bytes) => hasRun(bytes) && (!inText || inText(bytes)),
    inJson: (bytes) => hasRun(bytes) && partsInJson.every((isThere) => isThere(bytes)),
  }
}

/** Whether bytes of UTF-8 may hold what a pattern matches. A text is made of them only where that is needed to tell. */
function tester(pattern: RegExp, flags: string): (bytes: Buffer) => boolean {
  const isInBytes = inBytes(pattern.source, flags)
  return isInBytes
    ? (bytes) => isInBytes(bytes.toString('latin1'))
    : (bytes) => pattern.test(bytes.toString())
}

function marksIn(pattern: RegExp, text: string): Marks {
  const marks: Marks = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match && marks.length < MOST_MARKS; match = pattern.exec(text)) {
    marks.push([match.index, match.index + match[0].length])
    if (match[0] === '') pattern.lastIndex++
  }
  return marks
}
