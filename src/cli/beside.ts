import type { AgentEvent } from '../agent/agent.ts'
import { withoutSecrets } from '../service/outgoing.ts'
import { fit, oneLine, paint } from './paint.ts'

/** What is said beside the answer: tools that run, what became of them, things to know. */
export function besideText(event: AgentEvent): string | undefined {
  const { dim, green, red, yellow } = paint(process.stderr)
  switch (event.type) {
    case 'tool-call':
      return dim(`→ ${named(event)} ${summary(event.args)}`)
    case 'tool-result': {
      const seconds = `${(event.durationMs / 1000).toFixed(1)} s`
      if (event.success) return `${green('✓')} ${dim(`${event.tool}  ${seconds}`)}`
      return `${red('✗')} ${dim(`${event.tool}  ${seconds}  ${fit(oneLine(event.result), 160)}`)}`
    }
    case 'notice':
      return yellow(oneLine(event.text))
    default:
      return undefined
  }
}

function named({ server, tool }: { server: string; tool: string }): string {
  return server === '' || server === 'recollect' ? tool : `${server}/${tool}`
}

function summary(args: unknown): string {
  const written = JSON.stringify(withoutSecrets(args)) ?? ''
  return fit(oneLine(written === '{}' ? '' : written), 120)
}
