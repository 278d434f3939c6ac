import type { FileTouch, Usage } from '../../model/chat.ts'

/** What Aider itself says, each line with `> ` before it: what it edited, asked and spent. */
export interface Remarks {
  /** Of Aider itself, from the banner. */
  version?: string
  model?: string
  usage?: Usage
  files: FileTouch[]
  /** Everything but the bill. */
  text: string
}

export function remarksIn(lines: string[]): Remarks {
  const remarks: Remarks = { files: [], text: '' }
  const kept: string[] = []
  for (const line of lines) {
    const usage = usageIn(line)
    if (usage) {
      remarks.usage = usage
      continue
    }
    kept.push(line)
    remarks.model = /^(?:Models?|Main model): (\S{1,200}) with /.exec(line)?.[1] ?? remarks.model
    remarks.version = /^Aider v(\d\S{0,40})$/.exec(line)?.[1] ?? remarks.version
    const file = /^(Applied edit to|Creating empty file) (.{1,1000})$/.exec(line)
    if (file && !remarks.files.some(({ path }) => path === file[2])) {
      remarks.files.push({ path: file[2]!, action: file[1] === 'Applied edit to' ? 'edit' : 'create' })
    }
  }
  remarks.text = kept.join('\n').trim()
  return remarks
}

const AMOUNT = '([\\d.,]+[kM]?)'
const SENT = new RegExp(`^Tokens: ${AMOUNT} sent`)
const WRITTEN = new RegExp(`${AMOUNT} cache write`)
const HIT = new RegExp(`${AMOUNT} cache hit`)
const RECEIVED = new RegExp(`${AMOUNT} received`)
const COST = /Cost: \$([\d.]+) message/
/** As it was until mid-2024. */
const OLD = new RegExp(`^${AMOUNT} prompt tokens, ${AMOUNT} completion tokens(?:, \\$([\\d.]+) cost)?`)

function usageIn(line: string): Usage | undefined {
  const old = OLD.exec(line)
  if (old) return { input: amount(old[1]), output: amount(old[2]), cost: amount(old[3]) }
  const sent = SENT.exec(line)
  if (!sent) return undefined
  return {
    input: amount(sent[1]),
    output: amount(RECEIVED.exec(line)?.[1]),
    cached: amount(HIT.exec(line)?.[1]),
    cacheWrite: amount(WRITTEN.exec(line)?.[1]),
    cost: amount(COST.exec(line)?.[1]),
  }
}

/** `1.2k` is how Aider rounds. */
function amount(text: string | undefined): number | undefined {
  if (!text) return undefined
  const factor = text.endsWith('k') ? 1000 : text.endsWith('M') ? 1_000_000 : 1
  const value = Number.parseFloat(text.replaceAll(',', '')) * factor
  return Number.isFinite(value) ? Math.round(value * 1e6) / 1e6 : undefined
}
