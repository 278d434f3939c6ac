import { Link } from 'wouter'
import { pathWith } from '../../lib/route.ts'
import type { ProviderStatus } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Empty } from '../../ui/states.tsx'
import { useServers } from './wanted-inputs.tsx'
import { words } from './words.ts'

interface WelcomeProps {
  providers: ProviderStatus[]
  isReady: boolean
  onAsk: (message: string) => void
}

/** Before the first question: what one may ask, or what is missing. */
export function Welcome({ providers, isReady, onAsk }: WelcomeProps) {
  const say = useWords(words)
  if (!isReady) {
    return (
      <Empty
        icon="ask"
        title={say.notReady}
        actions={
          <Link className="button button-primary" href={pathWith('/sources', { tab: 'models' })}>
            {say.setUpModel}
          </Link>
        }
      >
        <p>{say.notReadyText}</p>
        <ul className="ask-providers">
          {providers.map(({ id, name, ready, problem }) => (
            <li key={id}>
              <strong>{name}</strong> {ready ? <Badge tone="good">{say.ready}</Badge> : problem}
            </li>
          ))}
        </ul>
      </Empty>
    )
  }
  return (
    <div className="ask-welcome">
      <h2 className="ask-label">{say.examples}</h2>
      <ul>
        {[say.example1, say.example2, say.example3].map((example) => (
          <li key={example}>
            <button type="button" className="ask-example" onClick={() => onAsk(example)}>
              {example}
            </button>
          </li>
        ))}
      </ul>
      <Servers />
    </div>
  )
}

/** The servers whose tools the agent may use, and what is wrong with those it may not. */
function Servers() {
  const say = useWords(words)
  const { data: servers = [] } = useServers()
  if (servers.length === 0) return null
  return (
    <>
      <h2 className="ask-label">{say.servers(servers.length)}</h2>
      <ul className="ask-servers">
        {servers.map(({ id, name, status, problem, tools, login }) => (
          <li key={id} title={problem}>
            <strong>{name}</strong>{' '}
            <Badge tone={status === 'ready' ? 'good' : status === 'failed' ? 'bad' : 'plain'}>
              {status === 'ready' ? say.tools(tools) : status}
            </Badge>
            {problem && !login && <span className="faint"> {problem}</span>}
          </li>
        ))}
      </ul>
    </>
  )
}
