import type { Ranking } from './rank.ts'
import { bits } from './score.ts'

/**
 * How likely the first chat is the right one, from how far it stands above the second, how much of
 * the query it holds, how much of it one of its messages holds, and how much was asked. Fitted on the sets named in
 * docs/benchmarks.md, where the curve is shown.
 */
export function confidenceOf({ chats, units }: Ranking): number {
  const [first, second] = chats
  if (!first) return 0
  const lead = 1 - (second?.score ?? 0) / first.score
  const parts = Math.max(1, Math.min(32, units))
  const inChat = Math.min(1, bits(first.units) / parts)
  const inMessage = Math.min(1, Math.max(0, ...first.best.map((message) => bits(message.units))) / parts)
  const evidence =
    FIT.start +
    FIT.lead * Math.min(lead, LEAD_MOST) +
    FIT.inChat * inChat +
    FIT.inMessage * inMessage +
    FIT.parts * Math.min(1, parts / 10)
  const confidence = Math.round(1000 / (1 + Math.exp(-evidence))) / 1000
  return first.units === 0 ? Math.min(confidence, MEANT_MOST) : confidence
}

/** Found by what it means alone: models differ, and none was measured. */
const MEANT_MOST = 0.3

const LEAD_MOST = 0.5
const FIT = { start: -3.2, lead: 7.4, inChat: 1.5, inMessage: 0.85, parts: 1 }
