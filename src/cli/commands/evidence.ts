import { EVIDENCE_KINDS } from '../../recall/evidence-in.ts'
import { type ChoiceOptions, choice, oneOf, withGate } from '../call.ts'
import { EXIT } from '../errors.ts'
import { count, dateTime } from '../format.ts'
import { timeWithoutChats } from '../no-chats.ts'
import { fit, oneLine, paint } from '../paint.ts'
import { chatsDone } from '../progress.ts'
import { noteLines, shortId } from '../results.ts'

interface Options extends ChoiceOptions {
  kind?: string[]
}

const HEADINGS: Record<(typeof EVIDENCE_KINDS)[number], string> = {
  citation: 'Citations',
  web: 'From the web',
  link: 'Links',
  attachment: 'Attachments',
  file: 'Files',
  command: 'Commands',
  code: 'Code',
}

/** What chats cite, link to, attach, touch, run and show. */
export async function evidence(chats: string[], options: Options): Promise<void> {
  await withGate(options, async (ask) => {
    const input = {
      ...choice(chats, options),
      kinds: options.kind?.map((kind) => oneOf(kind, EVIDENCE_KINDS, 'kind')),
    }
    const answer = await ask('collect_evidence', input, { progress: chatsDone })
    if (answer.evidence.length === 0) process.exitCode = EXIT.notFound
    if (options.json) {
      console.log(JSON.stringify(answer))
      return
    }
    const { bold, dim, red, yellow } = paint(process.stdout)
    const noTime = answer.evidence.length === 0 ? await timeWithoutChats(ask, options) : undefined
    if (answer.evidence.length === 0) console.log(noTime ?? 'These chats have nothing of the kind.')
    for (const kind of EVIDENCE_KINDS) {
      const found = answer.evidence.filter((each) => each.kind === kind)
      if (found.length > 0) console.log(bold(`${HEADINGS[kind]} (${found.length})`))
      for (const each of found) {
        const first = each.where[0]!
        const facts = [
          each.count > 1 && `×${each.count}`,
          each.actions?.join(', '),
          each.language,
          each.exitCode !== undefined && `exit ${each.exitCode}`,
          `${shortId(first)} #${first.index}`,
          dateTime(first.createdAt ?? undefined),
        ]
        const failed = each.failures ? red(` failed ${each.failures}×`) : ''
        console.log(`  ${fit(oneLine(each.value), 110)}${failed}`)
        console.log(dim(`    ${facts.filter(Boolean).join(' · ')}`))
      }
    }
    for (const { error } of answer.notFound ?? []) console.log(yellow(oneLine(error)))
    if (answer.leftOut) console.log(dim(`… and ${count(answer.leftOut.items, 'more', 'more')}.`))
    for (const note of noTime ? [] : noteLines(answer.notes)) console.log(note)
  })
}
