import { useState } from 'react'
import { useWords } from '../lib/words.ts'
import { Button, IconButton } from './button.tsx'
import { trying } from './toast.tsx'
import { words } from './words.ts'

interface CopyButtonProps {
  /** A function where making the text costs something. */
  text: string | (() => string | Promise<string>)
  /** What is copied: "Copy the command". */
  label?: string
  /** Show the label beside the icon. */
  wide?: boolean
  className?: string
}

const SHOWN_MS = 1_500

export function CopyButton({ text, label, wide, className }: CopyButtonProps) {
  const { copy, copied } = useWords(words)
  const [done, setDone] = useState(false)
  const onClick = () =>
    trying(async () => {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
      setDone(true)
      setTimeout(() => setDone(false), SHOWN_MS)
    })
  const shared = { icon: done ? 'check' : 'copy', onClick, className } as const
  if (wide)
    return (
      <Button look="quiet" {...shared}>
        {done ? copied : (label ?? copy)}
      </Button>
    )
  return <IconButton label={done ? copied : (label ?? copy)} {...shared} />
}
