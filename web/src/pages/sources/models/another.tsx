import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { put } from '../../../lib/api.ts'
import { useWords } from '../../../lib/words.ts'
import { Button } from '../../../ui/button.tsx'
import { Choice, Field } from '../../../ui/field.tsx'
import { Fold } from '../../../ui/fold.tsx'
import { ErrorBox } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.tsx'
import { KEYS } from './data.ts'
import { words } from './words.ts'

const EMPTY = { name: '', url: '', model: '', key: '' }
const KINDS = ['openai-compatible', 'openai', 'anthropic', 'gemini'] as const

/** One that is none of those that everybody has. */
export function Another() {
  const say = useWords(words)
  return (
    <section className="sources-section">
      <h2>{say.another}</h2>
      <p className="faint">{say.anotherText}</p>
      <Fold summary={say.add}>{() => <AnotherForm />}</Fold>
    </section>
  )
}

function AnotherForm() {
  const say = useWords(words)
  const client = useQueryClient()
  const [given, setGiven] = useState(EMPTY)
  const [kind, setKind] = useState<(typeof KINDS)[number]>(KINDS[0])
  const add = useMutation({
    mutationFn: async (act: () => Promise<unknown>) => await act(),
    onSuccess: () => Promise.all(KEYS.map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { name, url, model, key } = given
    add.mutate(async () => {
      const { notes } = await put<{ notes: string[] }>(`/api/v2/providers/${name.trim()}`, {
        url: url.trim(),
        ...(kind !== KINDS[0] && { kind }),
        ...(model.trim() && { model: model.trim() }),
        ...(key.trim() && { key: key.trim() }),
      })
      setGiven(EMPTY)
      toast([say.saved(name), ...notes].join(' '))
    })
  }
  const field = (name: keyof typeof EMPTY) => ({
    value: given[name],
    onChange: (event: { target: { value: string } }) => setGiven({ ...given, [name]: event.target.value }),
  })
  return (
    <form className="sources-form models-form" aria-label={say.another} onSubmit={submit}>
      <Field
        label={say.name}
        hint={say.nameHint}
        pattern="[a-z0-9][a-z0-9_\-]*"
        maxLength={32}
        required
        {...field('name')}
      />
      <Field
        label={say.address}
        placeholder="http://192.168.0.7:8000/v1"
        type="url"
        required
        {...field('url')}
      />
      <div className="field">
        <span className="sources-label">{say.kind}</span>
        <Choice
          label={say.kind}
          value={kind}
          options={KINDS.map((value) => ({
            value,
            label: {
              'openai-compatible': say.kindLike,
              openai: 'OpenAI',
              anthropic: 'Anthropic',
              gemini: 'Gemini',
            }[value],
          }))}
          onChange={setKind}
        />
      </div>
      <Field label={say.model} {...field('model')} />
      <Field label={say.key} hint={say.keyMaybe} type="password" {...field('key')} />
      <Button type="submit" disabled={add.isPending || !given.name.trim() || !given.url.trim()}>
        {add.isPending ? say.testing : say.saveAndTest}
      </Button>
      {add.error && <ErrorBox error={add.error} />}
    </form>
  )
}
