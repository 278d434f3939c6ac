/** One person's or assistant's part of a chat that was written down as Markdown. */
export interface Turn {
  heading: RegExpExecArray
  body: string
}

/** The parts of a text, each below a line that fits `heading`; rules between them belong to none. */
export function turnsOf(text: string, heading: RegExp): Turn[] {
  const turns: { heading: RegExpExecArray; lines: string[] }[] = []
  for (const line of text.split(/\r?\n/)) {
    const found = line.length < 400 ? heading.exec(line) : null
    if (found) turns.push({ heading: found, lines: [] })
    else turns.at(-1)?.lines.push(line)
  }
  return turns.map(({ heading: found, lines }) => ({
    heading: found,
    body: lines
      .join('\n')
      .trim()
      .replace(/(?:^|\n)---$/, '')
      .trim(),
  }))
}
