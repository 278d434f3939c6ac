import type { Citation, FileTouch } from '../../model/chat.ts'
import { type Json, list, number, object, objects, plain, string, words } from '../json.ts'
import { answerText } from './answers.ts'
import { markdown } from './markdown.ts'
import { placeOf } from './uri.ts'

export interface Response {
  text: string
  thinking?: string
  thinkingMs?: number
  /** Tool calls as VS Code showed them. */
  invocations: Json[]
  files: FileTouch[]
  citations: Citation[]
  /** The model that "auto" stood for. */
  model?: string
}

/**
 * An assistant's turn as it was shown. Sentences are cut around references, so neighbouring text is
 * joined as it stands; tool calls, edits and questions between make a new paragraph.
 */
export function readResponse(response: unknown): Response {
  const prose = proseWriter()
  const thoughts: string[] = []
  const read: Response = { text: '', invocations: [], files: [], citations: [] }
  for (const part of typeof response === 'string' ? [response] : list(response)) {
    const text = inlineText(part)
    const fields = object(part)
    if (text !== undefined) prose.add(text)
    else if (!fields) continue
    else if (fields.kind === 'thinking') {
      const ms = number(fields.reasoningDurationMs)
      if (ms !== undefined) read.thinkingMs = (read.thinkingMs ?? 0) + ms
      const thought = list(fields.value).map(plain).join('') || string(fields.value)
      if (!thought) continue
      thoughts.push(thought)
      prose.breakLine()
    } else if (fields.kind === 'toolInvocationSerialized') {
      read.invocations.push(fields)
      prose.breakLine()
    } else if (fields.kind === 'autoModeResolution') read.model = words(fields.resolvedModel)
    else if (fields.kind === 'pullRequest') {
      const title = words(fields.title)
      read.citations.push({ url: placeOf(fields.uri)?.url, title, text: markdown(fields.description) })
    } else {
      const touched = filesOf(fields)
      read.files.push(...touched)
      const block = blockText(fields)
      if (block) prose.block(block)
      else if (touched.length > 0 && fields.kind !== 'codeblockUri') prose.breakLine()
    }
  }
  read.text = prose.text()
  read.thinking = words(thoughts.join('\n\n'))
  return read
}

/** Text that stands in the sentence: markdown, and references as code. */
function inlineText(part: unknown): string | undefined {
  if (typeof part === 'string') return part
  const fields = object(part)
  if (!fields) return undefined
  if (fields.kind === undefined) return string(fields.value)
  if (fields.kind === 'markdownContent' || fields.kind === 'markdownVuln') return markdown(fields.content)
  if (fields.kind !== 'inlineReference') return undefined
  const reference = fields.inlineReference
  const name = words(fields.name) ?? words(object(reference)?.name) ?? placeOf(reference)?.name
  return name ? `\`${name}\`` : ''
}

/** Text that is a paragraph of its own: questions with their answers, plans, lists of files. */
function blockText(part: Json): string | undefined {
  switch (part.kind) {
    case 'confirmation':
      return lines([part.title, part.message])
    case 'elicitation':
    case 'elicitationSerialized': {
      const answer = part.acceptedResult === undefined ? part.state : plain(part.acceptedResult)
      return lines([part.title, part.subtitle, part.message, quoted(answer)])
    }
    case 'questionCarousel':
      return questionsText(part)
    case 'planReview': {
      const { action, rejected, feedback } = object(part.data) ?? {}
      const verdict = words(action) ?? (rejected === true ? 'rejected' : undefined)
      return lines([part.title, part.content, quoted(verdict), quoted(feedback)])
    }
    case 'treeData':
      return treeText(part.treeData)
    case undefined:
      return part.label === undefined ? undefined : treeText(part)
    default:
      return undefined
  }
}

function questionsText(part: Json): string | undefined {
  const answers = object(part.data) ?? {}
  const asked = objects(part.questions).map((question) => {
    const id = string(question.id) ?? ''
    const answer = Object.hasOwn(answers, id) ? answerText(answers[id]) : undefined
    return lines([question.title, question.message, quoted(answer)])
  })
  return lines([part.message, ...asked])
}

function quoted(answer: unknown): string | undefined {
  const text = markdown(answer)
  return text ? `> ${text}` : undefined
}

function lines(texts: unknown[]): string | undefined {
  const said = texts.map((text) => markdown(text)?.trim())
  return words(said.filter((text) => text).join('\n'))
}

const MAX_TREE = 500

function treeText(root: unknown): string | undefined {
  const names: string[] = []
  const ahead: [node: unknown, depth: number][] = [[root, 0]]
  while (ahead.length > 0 && names.length < MAX_TREE) {
    const [node, depth] = ahead.pop()!
    const label = string(object(node)?.label)
    if (label === undefined) continue
    names.push(`${'  '.repeat(Math.min(depth, 20))}${label}`)
    for (const child of list(object(node)?.children).toReversed()) ahead.push([child, depth + 1])
  }
  return words(names.join('\n'))
}

function filesOf(part: Json): FileTouch[] {
  switch (part.kind) {
    case 'textEditGroup':
    case 'notebookEditGroup':
      return touch(part.uri, 'edit')
    case 'codeblockUri':
      return part.isEdit === true ? touch(part.uri, 'edit') : []
    case 'externalEdit': {
      const action = part.editKind
      return touch(
        part.uri,
        action === 'create' || action === 'delete' || action === 'rename' ? action : 'edit',
      )
    }
    case 'workspaceEdit':
      return objects(part.edits).flatMap(({ oldResource, newResource }) =>
        newResource === undefined
          ? touch(oldResource, 'delete')
          : touch(newResource, oldResource === undefined ? 'create' : 'rename'),
      )
    default:
      return []
  }
}

function touch(uri: unknown, action: FileTouch['action']): FileTouch[] {
  const path = placeOf(uri)?.path
  return path ? [{ path, action }] : []
}

const FENCE_ALONE = /^\s*`{3,}\s*$/

/** Joins text, and drops the fences that VS Code leaves around an edit whose code it does not show. */
function proseWriter() {
  const blocks: string[] = []
  let open = ''
  /** A fence that opened and has nothing behind it yet. */
  let fence: string | undefined
  let editInFence = false

  function closeBlock() {
    const block = open.replace(/^\s*\n/, '').trimEnd()
    if (block) blocks.push(block)
    open = ''
  }

  function keepFence() {
    if (fence !== undefined) open += fence
    fence = undefined
    editInFence = false
  }

  return {
    add(text: string) {
      const isFence = FENCE_ALONE.test(text)
      if (isFence && fence !== undefined) {
        fence = undefined
        editInFence = false
        closeBlock()
      } else if (isFence && !endsInsideFence(open)) fence = text
      else if (text !== '') {
        keepFence()
        open += text
      }
    },
    breakLine() {
      if (fence === undefined) closeBlock()
      else editInFence = true
    },
    block(text: string) {
      keepFence()
      closeBlock()
      blocks.push(text)
    },
    text() {
      if (!editInFence) keepFence()
      closeBlock()
      return blocks.join('\n\n')
    },
  }
}

function endsInsideFence(text: string): boolean {
  return (text.match(/^\s*`{3,}/gm)?.length ?? 0) % 2 === 1
}
