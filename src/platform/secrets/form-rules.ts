import { looksDrawn } from './chance.ts'
import { beginsAt, isWordCode } from './edges.ts'
import { FORMS, type Form } from './forms.ts'
import type { Rule, Span } from './span.ts'

const MOST_BEFORE = 100

export const FORM_RULES: Rule[] = FORMS.map(ruleOf)

/** Letters right before and behind it: a glance that spares most of the work. */
function isBetween(text: string, from: number, to: number, least: number): boolean {
  return (
    isKeyCode(text.charCodeAt(from - 1)) &&
    isKeyCode(text.charCodeAt(from - least)) &&
    isKeyCode(text.charCodeAt(from - (least >> 1))) &&
    (isKeyCode(text.charCodeAt(to)) || from + 4 <= to)
  )
}

/** Letters, digits and `+/-_.~`. */
function isKeyCode(code: number): boolean {
  return isWordCode(code) || code === 126 || code === 43 || (code >= 45 && code <= 47)
}

function ruleOf(form: Form): Rule {
  const { kind, literal, tail, before, sure, least = 3 } = form
  // Made when its letters are met: there are some hundred of them, and a first answer waits for all that is made before.
  let whole: RegExp | undefined
  let ahead: RegExp | undefined
  const isInside = './'.includes(literal.at(0)!) || './'.includes(literal.at(-1)!)
  return {
    literal,
    find(text, at): Span | undefined {
      if (before ? !isBetween(text, at, at + literal.length, least) : !isInside && !beginsAt(text, at))
        return undefined
      whole ??= new RegExp(`${literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:${tail})`, 'y')
      whole.lastIndex = at
      if (!whole.test(text)) return undefined
      const to = whole.lastIndex
      if (before) ahead ??= new RegExp(`(?:${before})$`)
      const lead = ahead ? ahead.exec(text.slice(Math.max(0, at - MOST_BEFORE), at))?.[0] : ''
      if (lead === undefined) return undefined
      const from = at - lead.length
      if (ahead && !beginsAt(text, from)) return undefined
      const drawn = ahead ? lead + text.slice(at + literal.length, to) : text.slice(at + literal.length, to)
      return sure || looksDrawn(drawn) ? { from, to, kind } : undefined
    },
  }
}
