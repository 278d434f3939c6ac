import fs from 'node:fs'
import path from 'node:path'

const FOLDER = '/home/alex/shop'

/** Writes a Claude Code session below a home folder: a request or an answer for each text, in turns. */
export function writeChat(home: string, id: string, records: Turn[]): string {
  const file = path.join(home, '.claude', 'projects', FOLDER.replaceAll('/', '-'), `${id}.jsonl`)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, '')
  addToChat(file, records)
  return file
}

export type Turn =
  | { title: string }
  | { asks: string; injected?: boolean; pictures?: string[] }
  | { says: string; thinking?: string }
  | { calls: string; input: object; gives: string; fails?: true }

/** Goes on with a session, as Claude Code does while it runs. */
export function addToChat(file: string, turns: Turn[]): void {
  const sessionId = path.basename(file, '.jsonl')
  const before = fs.readFileSync(file, 'utf8').split('\n').length
  let time = Date.UTC(2026, 9, 1) + before * 1_000
  let number = before
  const lines: string[] = []
  const record = (fields: object) => {
    number++
    time += 1_000
    lines.push(
      JSON.stringify({
        isSidechain: false,
        ...fields,
        uuid: `${sessionId}-${number}`,
        parentUuid: number > 2 ? `${sessionId}-${number - 1}` : null,
        timestamp: new Date(time).toISOString(),
        cwd: FOLDER,
        sessionId,
        version: '2.1.240',
        gitBranch: 'main',
      }),
    )
  }
  const answer = (content: object[]) =>
    record({
      type: 'assistant',
      message: {
        id: `msg_${sessionId}_${number}`,
        role: 'assistant',
        model: 'claude-opus-4-6',
        content,
        usage: {},
      },
    })
  for (const turn of turns) {
    if ('title' in turn) lines.push(JSON.stringify({ type: 'ai-title', aiTitle: turn.title, sessionId }))
    else if ('asks' in turn)
      record({ type: 'user', isMeta: turn.injected, message: { role: 'user', content: contentOf(turn) } })
    else if ('says' in turn)
      answer([
        ...(turn.thinking ? [{ type: 'thinking', thinking: turn.thinking, signature: '' }] : []),
        { type: 'text', text: turn.says },
      ])
    else {
      const id = `toolu_${sessionId}_${number}`
      answer([{ type: 'tool_use', id, name: turn.calls, input: turn.input }])
      const content = [
        { type: 'tool_result', tool_use_id: id, content: turn.gives, ...(turn.fails && { is_error: true }) },
      ]
      record({ type: 'user', message: { role: 'user', content } })
    }
  }
  fs.appendFileSync(file, `${lines.join('\n')}\n`)
}

function contentOf({ asks, pictures }: { asks: string; pictures?: string[] }): unknown {
  if (!pictures) return asks
  const source = (data: string) => ({ type: 'base64', media_type: 'image/png', data })
  return [{ type: 'text', text: asks }, ...pictures.map((data) => ({ type: 'image', source: source(data) }))]
}

/** A chat as long as they get: every fifth turn uses a tool. `needle 7000` stands in message 7000, and so on. */
export function longChat(messages: number): Turn[] {
  const turns: Turn[] = [{ title: 'A very long chat' }]
  for (let index = 0; index < messages; ) {
    turns.push({ asks: `Question ${index}: what about needle ${index}?` })
    index++
    if (index % 5 === 0 && index + 2 < messages) {
      const input = { file_path: `${FOLDER}/src/file-${index}.ts` }
      turns.push({ calls: 'Read', input, gives: `${index}\texport const needle = ${index}` })
      index += 2
    }
    if (index >= messages) break
    const list = Array.from({ length: index % 7 }, (_, line) => `- point ${line} of needle ${index}`)
    const code = index % 11 === 0 ? `\n\n\`\`\`ts\nexport const needle = ${index}\n\`\`\`` : ''
    turns.push({ says: `Answer to needle ${index - 1}, needle ${index}.\n\n${list.join('\n')}${code}` })
    index++
  }
  return turns
}

/** One request, and all that an agent did for it without asking again. */
export function longTurn(messages: number): Turn[] {
  const turns: Turn[] = [
    { title: 'A very long turn' },
    { asks: 'Go through all files, and say what you see.' },
  ]
  for (let index = 1; index < messages; index++)
    if (index % 3 === 1 && index + 1 < messages) {
      const input = { file_path: `${FOLDER}/src/part-${index}.ts` }
      turns.push({ calls: 'Read', input, gives: `${index}\texport const part = ${index}` })
      index++
    } else turns.push({ says: `Part ${index} is read: nothing new in it.` })
  return turns
}

/** Every way we know to make a page run what somebody wrote into a chat. Each would call `pwned`. */
export const HOSTILE = [
  '<script>pwned()</script>',
  '<img src=x onerror=pwned()>',
  '<svg/onload=pwned()>',
  '<iframe srcdoc="<script>parent.pwned()</script>"></iframe>',
  '<a href="javascript:pwned()">click me</a>',
  '[click me](javascript:pwned())',
  '[click me](JaVaScRiPt:pwned())',
  '[click me](data:text/html,<script>opener.pwned()</script>)',
  '[click me](vbscript:pwned)',
  '![picture](https://tracker.example/pixel.png)',
  '![picture](javascript:pwned())',
  '<style>@import "https://tracker.example/style.css";</style>',
  '<link rel="stylesheet" href="https://tracker.example/style.css">',
  '<meta http-equiv="refresh" content="0;url=https://tracker.example/">',
  '<base href="https://tracker.example/">',
  '<form action="https://tracker.example/"><button formaction="javascript:pwned()">go</button></form>',
  '```html onload=pwned()\n<script>pwned()</script>\n```',
  '```"><img src=x onerror=pwned()>\ncode\n```',
  '<details open ontoggle=pwned()>',
  '[ref]: javascript:pwned() "title"\n\n[ref]',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=pwned()&gt;">',
]
