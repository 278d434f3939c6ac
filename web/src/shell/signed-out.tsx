import { useWords } from '../lib/words.ts'
import { CopyButton } from '../ui/copy.tsx'
import { words } from './words.ts'

const COMMAND = 'recollect serve'

export function SignedOut() {
  const { signedOut, signedOutText, signedOutWhy } = useWords(words)
  return (
    <main className="signed-out">
      <h1>{signedOut}</h1>
      <p>{signedOutText}</p>
      <p className="command">
        <code>{COMMAND}</code>
        <CopyButton text={COMMAND} />
      </p>
      <p className="faint">{signedOutWhy}</p>
    </main>
  )
}
