import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../../lib/api.ts'
import { folderName, usePlaces } from '../../lib/overview.ts'
import { setReveal, useReveal } from '../../lib/reveal.ts'
import type { Forgotten } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Choice, Field } from '../../ui/field.tsx'
import { ErrorBox } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.tsx'
import { WhatLeaves } from './what-leaves.tsx'
import { words } from './words.ts'

export function Privacy() {
  const say = useWords(words)
  const reveal = useReveal()
  return (
    <>
      <WhatLeaves />
      <section className="sources-section">
        <h2>{say.revealTitle}</h2>
        <p className="faint">{say.revealText}</p>
        <label className="sources-switch">
          <input type="checkbox" checked={reveal} onChange={(event) => setReveal(event.target.checked)} />
          {say.reveal}
        </label>
      </section>
      <Forget />
    </>
  )
}

type Which = { before: string } | { workspace: string }

function Forget() {
  const say = useWords(words)
  const client = useQueryClient()
  const { workspaces } = usePlaces()
  const [before, setBefore] = useState('')
  const [workspace, setWorkspace] = useState('')
  const [asked, setAsked] = useState<{ which: Which; chats: number; messages: number }>()
  const count = useMutation({
    mutationFn: async (which: Which) => ({
      which,
      ...(await post<Forgotten>('forget', { ...which, dryRun: true })),
    }),
    onSuccess: (counted) => (counted.chats === 0 ? toast(say.nothing) : setAsked(counted)),
  })
  const erase = useMutation({
    mutationFn: (which: Which) => post<Forgotten>('forget', which),
    onSuccess: ({ chats }) => {
      toast(say.erased(say.chats(chats)))
      setAsked(undefined)
      return client.invalidateQueries()
    },
  })
  return (
    <section className="sources-section">
      <h2>{say.forgetTitle}</h2>
      <p className="faint">{say.forgetText}</p>
      {count.error && <ErrorBox error={count.error} />}
      <div className="sources-form">
        <Field
          label={say.forgetBefore}
          type="date"
          value={before}
          onChange={(event) => setBefore(event.target.value)}
        />
        <Button disabled={before === ''} onClick={() => count.mutate({ before })}>
          {say.count}
        </Button>
      </div>
      <div className="sources-form">
        <div className="field">
          <span className="sources-label">{say.forgetWorkspace}</span>
          <Choice
            label={say.forgetWorkspace}
            value={workspace}
            options={[
              { value: '', label: say.chooseProject },
              ...workspaces.map(({ path }) => ({ value: path, label: folderName(path) })),
            ]}
            onChange={setWorkspace}
          />
        </div>
        <Button disabled={workspace === ''} onClick={() => count.mutate({ workspace })}>
          {say.count}
        </Button>
      </div>
      <Dialog
        open={asked !== undefined}
        title={say.forgetTitle}
        onClose={() => setAsked(undefined)}
        actions={
          asked && (
            <>
              <Button onClick={() => setAsked(undefined)}>{say.keep}</Button>
              <Button look="danger" disabled={erase.isPending} onClick={() => erase.mutate(asked.which)}>
                {say.erase}
              </Button>
            </>
          )
        }
      >
        {asked && <p>{say.sure(say.chats(asked.chats), say.messages(asked.messages))}</p>}
        {erase.error && <ErrorBox error={erase.error} />}
      </Dialog>
    </section>
  )
}
