import { parentPort, workerData } from 'node:worker_threads'
import { openTexts, type Texts, type Wanted } from '../archive/sqlite/texts.ts'
import type { RecollectError } from '../model/errors.ts'
import { heldText } from '../model/tool-text.ts'
import { inBytes } from './regex-bytes.ts'
import { waysOf } from './regex-hidden.ts'
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
  const wanted = lookedFor(asked.pattern)
  const found: Found[] = []
  for (const chat of asked.chats) {
    const held = texts.held(chat, asked.fields, wanted).map((each) => {
      pattern.lastIndex = 0
      return { held: each, matches: pattern.test(heldText(each)) }
    })
    if (held.length > 0) found.push({ chat, held })
  }
  return found
}

/** What a text or bytes must hold, before they are cleaned, taken apart or parsed: letters that every match holds, and parts of the pattern. */
function lookedFor({ source, flags }: Pattern): Wanted {
  const run = flags.includes('i') ? undefined : requiredRun(source, flags)
  const hasRun = (bytes: Buffer) => run === undefined || bytes.includes(run)
  const ways = waysOf(source, flags)
  const inTexts = tester(ways, flags)
  const inJson = tester([relaxed(source, flags)?.inJson ?? []], flags)
  return {
    mayMatch: (text) =>
      (run === undefined || text.includes(run)) &&
      ways.some((parts) => parts.every((part) => part.test(text))),
    inTexts: (bytes) => hasRun(bytes) && inTexts(bytes),
    inJson: (bytes) => hasRun(bytes) && inJson(bytes),
  }
}

/** Whether bytes of UTF-8 may hold all that one of these ways asks for. A text is made of them only where that is needed to tell. */
function tester(ways: RegExp[][], flags: string): (bytes: Buffer) => boolean {
  const looks = ways.map((parts) => parts.map((part) => ({ part, isInBytes: inBytes(part.source, flags) })))
  return (bytes) => {
    let inLatin: string | undefined
    let inUtf8: string | undefined
    const isThere = ({ part, isInBytes }: (typeof looks)[number][number]) => {
      if (isInBytes) inLatin ??= bytes.toString('latin1')
      else inUtf8 ??= bytes.toString()
      return isInBytes ? isInBytes(inLatin!) : part.test(inUtf8!)
    }
    return looks.some((parts) => parts.every(isThere))
  }
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
