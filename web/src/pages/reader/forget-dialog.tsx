import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { del } from '../../lib/api.ts'
import { chatApi } from '../../lib/route.ts'
import { useWords } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorBox } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'
import { words } from './words.ts'

interface ForgetDialogProps {
  id: string
  messages: number
  open: boolean
  onClose: () => void
}

/** Forgetting is for good: it is asked about once more. */
export function ForgetDialog({ id, messages, open, onClose }: ForgetDialogProps) {
  const w = useWords(words)
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const isForgotten = useRef(false)
  // As long as the reader is there it would ask for what is taken away.
  useEffect(
    () => () => {
      if (isForgotten.current) queries.removeQueries({ queryKey: ['chat', id] })
    },
    [queries, id],
  )
  const forget = useMutation({
    mutationFn: () => del(chatApi(id)),
    onSuccess: async () => {
      isForgotten.current = true
      toast(w.forgotten)
      navigate('/')
      await queries.invalidateQueries({
        predicate: ({ queryKey: [what, of] }) => what !== 'chat' || of !== id,
      })
    },
  })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={w.forgetTitle}
      actions={
        <>
          <Button onClick={onClose}>{w.keep}</Button>
          <Button look="danger" disabled={forget.isPending} onClick={() => forget.mutate()}>
            {w.forgetNow}
          </Button>
        </>
      }
    >
      <p>{w.forgetText(messages)}</p>
      {forget.error && <ErrorBox error={forget.error} />}
    </Dialog>
  )
}
