import type { TextProps } from 'ink'
import type { Tone } from './spans.ts'

/**
 * How each tone looks. Only colours that the person's own palette defines, and none that is unreadable on a
 * light or on a dark ground; without colours, weight and lines say the same.
 */
export function themeFor(env: NodeJS.ProcessEnv): Record<Tone, TextProps> {
  if (!env.NO_COLOR) return COLOURED
  const plain = Object.entries(COLOURED).map(([tone, { color, backgroundColor, ...rest }]) => [tone, rest])
  return { ...COLOURED, ...Object.fromEntries(plain), ...WITHOUT_COLOUR }
}

const COLOURED: Record<Tone, TextProps> = {
  text: {},
  strong: { bold: true },
  faint: { dimColor: true },
  accent: { color: 'magenta', bold: true },
  you: { color: 'green', bold: true },
  assistant: { color: 'blue', bold: true },
  code: { color: 'cyan' },
  tool: { color: 'magenta' },
  bad: { color: 'red' },
  good: { color: 'green' },
  hit: { color: 'black', backgroundColor: 'yellow' },
  found: { color: 'black', backgroundColor: 'cyan', bold: true },
}

const WITHOUT_COLOUR: Partial<Record<Tone, TextProps>> = {
  hit: { bold: true, underline: true },
  found: { inverse: true },
  bad: { bold: true },
}
