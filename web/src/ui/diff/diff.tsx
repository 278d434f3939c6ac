import { useWords } from '../../lib/words.ts'
import { useFolding } from '../long-lines.ts'
import { words as uiWords } from '../words.ts'
import type { DiffLine } from './diff-lines.ts'
import './diff.css'

const FOLDED_LINES = 120
const SHOWN_LINES = 80
const NAMES = { '+': 'added', '-': 'removed', '@': 'place', ' ': 'kept' }

/** A change, line by line. */
export function Diff({ lines, framed }: { lines: DiffLine[]; framed?: boolean }) {
  const { showAll, showLess } = useWords(uiWords)
  const { folds, open, toggle } = useFolding(lines.length, FOLDED_LINES)
  const shown = open ? lines : lines.slice(0, SHOWN_LINES)
  return (
    <div className={framed ? 'diff code' : 'diff'}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        {shown.map((line, number) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name, and none ever moves
          <span key={number} className={`diff-line diff-${NAMES[line.sign]}`}>
            <span className="diff-sign">{line.sign === '@' ? '' : line.sign}</span>
            {line.text}
            {'\n'}
          </span>
        ))}
      </pre>
      {folds && (
        <button type="button" className="code-more" onClick={toggle} aria-expanded={open}>
          {open ? showLess : showAll(lines.length)}
        </button>
      )}
    </div>
  )
}
