import { parentPort, workerData } from 'node:worker_threads'

/** The thread of `regexSearch`: says where a pattern matches in texts. A pattern that takes forever takes only this thread. */
const { source, flags } = workerData as { source: string; flags: string }
const pattern = new RegExp(source, flags)
const MOST_MARKS = 20

parentPort?.on('message', (texts: string[]) => {
  parentPort?.postMessage(texts.map(marksIn))
})

function marksIn(text: string): [number, number][] {
  const marks: [number, number][] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match && marks.length < MOST_MARKS; match = pattern.exec(text)) {
    marks.push([match.index, match.index + match[0].length])
    if (match[0] === '') pattern.lastIndex++
  }
  return marks
}
