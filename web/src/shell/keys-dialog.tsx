import { isMac } from '../lib/keys.ts'
import { useWords } from '../lib/words.ts'
import { Dialog } from '../ui/dialog.tsx'
import { words } from './keys-words.ts'

export default function KeysDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const w = useWords(words)
  const mod = isMac ? '⌘' : 'Ctrl'
  const groups: [title: string, keys: [keys: string[], what: string][]][] = [
    [
      w.keysAnywhere,
      [
        [['/', `${mod} K`], w.keyFocusSearch],
        [['?'], w.keyHelp],
        [['Esc'], w.keyClose],
      ],
    ],
    [
      w.keysSearch,
      [
        [['↑', '↓'], w.keyResults],
        [['Enter'], w.keyOpen],
        [['x'], w.keySelect],
      ],
    ],
    [
      w.keysChat,
      [
        [['j', 'k'], w.keyNextRequest],
        [['f', `${mod} F`], w.keyFind],
        [['n', 'N'], w.keyNextHit],
        [['g', 'G'], w.keyEnds],
        [['o'], w.keyOutline],
        [['e'], w.keyFold],
        [['v'], w.keyFocus],
      ],
    ],
  ]
  return (
    <Dialog open={open} onClose={onClose} title={w.keys}>
      {groups.map(([title, keys]) => (
        <section key={title} className="keys">
          <h3>{title}</h3>
          <dl>
            {keys.map(([names, what]) => (
              <div key={what}>
                <dt>
                  {names.map((name) => (
                    <kbd key={name}>{name}</kbd>
                  ))}
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
