import { dateTime } from '../../model/day.ts'
import { parted } from '../evidence-in.ts'
import type { LiveChat, LiveMessage } from '../live.ts'
import { type Format, factsOf, speakerIn, written } from './format.ts'

const STYLE = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:52rem;margin:2rem auto;padding:0 1rem}
article{margin:3rem 0}h1{font-size:1.5rem;line-height:1.25}
section{margin:1.5rem 0;border-left:3px solid #8885;padding-left:1rem}
section.request{border-color:#2a7}section.answer{border-color:#37c}
h2{font-size:.9rem;margin:0 0 .5rem}h2 small{font-weight:normal;opacity:.7}
p.facts{opacity:.7;font-size:.9rem}.text{white-space:pre-wrap;overflow-wrap:anywhere}
pre{overflow:auto;background:#8881;padding:.75rem;border-radius:.4rem;font-size:.85rem}
details{margin:.5rem 0}summary{cursor:pointer;font-size:.9rem}.failed>summary{color:#c33}
.undone{opacity:.5}`.trim()

const MARK = '<!doctype html><!-- Exported by Recollect -->'

/** One page that needs nothing from anywhere: no scripts, no requests, whatever the chats say. */
export const html: Format = {
  extension: 'html',
  mark: MARK,
  begin: `${MARK}
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Chats</title>
<style>${STYLE}</style>
<body>
`,
  *chat({ chat, messages }: LiveChat) {
    const facts = [...factsOf(chat), chat.id].map(escaped)
    yield `<article>\n<h1>${escaped(chat.title)}</h1>\n<p class="facts">${facts.join(' · ')}</p>\n`
    for (const message of messages) if (message.kind !== 'injected') yield section(chat, message)
    yield '</article>\n'
  },
  end: '</body>\n</html>\n',
}

function section(chat: LiveChat['chat'], message: LiveMessage): string {
  const facts = [dateTime(message.createdAt), message.model, message.undone && 'undone', message.outcome]
  const attached = (message.attachments ?? []).map(
    ({ type, path, url, name }) => `<p class="facts">${escaped(`${type}: ${path ?? url ?? name}`)}</p>`,
  )
  const calls = (message.toolCalls ?? []).map(({ server, tool, args }) =>
    folded(`→ ${server ? `${server}/` : ''}${tool}`, written(args)),
  )
  const results = (message.toolResults ?? []).map(({ text, json, error, exitCode }) => {
    const failed = error !== undefined || Boolean(exitCode)
    return folded(
      failed ? `← failed${exitCode ? ` (exit ${exitCode})` : ''}` : '←',
      error ?? text ?? written(json),
      failed,
    )
  })
  return `<section class="${message.kind}${message.undone ? ' undone' : ''}">
<h2>${escaped(speakerIn(chat, message.kind))} <small>${facts
    .filter(Boolean)
    .map((fact) => escaped(String(fact)))
    .join(' · ')}</small></h2>
${[...attached, body(message.text), ...calls, ...results].filter(Boolean).join('\n')}
</section>
`
}

/** Prose as it was typed, code in boxes. */
function body(text: string): string {
  if (text.trim() === '') return ''
  const { blocks } = parted(text)
  let rest = text
  let shown = ''
  for (const { code } of blocks) {
    const at = rest.indexOf(code)
    if (at < 0) break
    shown += `${prose(rest.slice(0, at).replace(/\n?[^\n]*\n$/, ''))}<pre><code>${escaped(code)}</code></pre>\n`
    rest = rest.slice(at + code.length).replace(/^\n[^\n]*/, '')
  }
  return shown + prose(rest)
}

function prose(text: string): string {
  return text.trim() === '' ? '' : `<div class="text">${escaped(text.trim())}</div>\n`
}

function folded(title: string, text: string, failed = false): string {
  const heading = `<summary>${escaped(title)}</summary>`
  return `<details${failed ? ' class="failed"' : ''}>${heading}<pre>${escaped(text)}</pre></details>`
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text that is text and nothing else: no markup, no signs that turn the reading direction. */
export function escaped(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign]!)
}
