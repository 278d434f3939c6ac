import type { Badge } from '../source.ts'

/**
 * What exports of programs that are not read otherwise are called: apart from the code that reads them, which is
 * needed only where something is imported.
 */
const LABELS = {
  chatgpt: { name: 'ChatGPT', badge: { letters: 'GP', colour: 'teal' } },
  'claude-ai': { name: 'claude.ai', badge: { letters: 'Cl', colour: 'orange' } },
  gemini: { name: 'Gemini app', badge: { letters: 'Ge', colour: 'blue' } },
  grok: { name: 'Grok', badge: { letters: 'Gk', colour: 'grey' } },
  librechat: { name: 'LibreChat', badge: { letters: 'Li', colour: 'blue' } },
  'microsoft-copilot': { name: 'Microsoft Copilot', badge: { letters: 'Mc', colour: 'blue' } },
  'open-webui': { name: 'Open WebUI', badge: { letters: 'OW', colour: 'slate' } },
  recollect: { name: 'Recollect', badge: { letters: 'Re', colour: 'accent' } },
  specstory: { name: 'SpecStory', badge: { letters: 'Sp', colour: 'green' } },
} satisfies Record<string, Label>

interface Label {
  name: string
  badge: Badge
}

export const importLabels: ({ id: string } & Label)[] = Object.entries(LABELS).map(([id, label]) => ({
  id,
  ...label,
}))

export function labelled(id: keyof typeof LABELS): { id: string } & Label {
  return { id, ...LABELS[id] }
}
