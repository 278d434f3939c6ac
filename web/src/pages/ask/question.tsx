import { type FormEvent, useId, useState } from 'react'
import type { FormContent, FormField, FormValue } from '../../../../src/agent/form.ts'
import type { Answer, Question } from '../../lib/types.ts'
import { useWords } from '../../lib/words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Field } from '../../ui/field.tsx'
import { words } from './words.ts'

interface QuestionProps {
  question: Question
  /** Its tool still runs and waits. */
  isOpen: boolean
  onAnswer: (question: Question, answer: Answer) => Promise<void>
}

/** What an MCP server asks while its tool runs: a form, or whether the model may answer it. */
export function QuestionCard({ question, isOpen, onAnswer }: QuestionProps) {
  const say = useWords(words)
  const { kind, server, message, fields, outcome } = question
  const [content, setContent] = useState<FormContent>(() => defaultsOf(fields))
  const [busy, setBusy] = useState(false)
  const answer = (given: Answer) => {
    setBusy(true)
    void onAnswer(question, given).finally(() => setBusy(false))
  }
  const title = kind === 'form' ? say.asks(server) : say.wantsModel(server)
  const waits = isOpen && outcome === undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    answer({ action: 'accept', ...(kind === 'form' && { content: filledIn(fields, content) }) })
  }
  return (
    <section className="ask-approval" aria-label={title}>
      <h3>{title}</h3>
      {kind === 'form' ? <p>{message}</p> : <Code text={message} bare />}
      {!waits && (
        <Badge tone={outcome === 'accept' ? 'good' : 'plain'}>
          {outcome === 'accept' ? say.answered : outcome === 'decline' ? say.declined : say.unanswered}
        </Badge>
      )}
      {waits && (
        <form className="ask-question" onSubmit={submit}>
          {fields.map((field) => (
            <FormInput
              key={field.name}
              field={field}
              value={content[field.name]}
              onChange={(value) => setContent({ ...content, [field.name]: value })}
            />
          ))}
          <div className="ask-approval-actions">
            <Button look="primary" type="submit" disabled={busy}>
              {kind === 'form' ? say.answerIt : say.allow}
            </Button>
            <Button disabled={busy} onClick={() => answer({ action: 'decline' })}>
              {kind === 'form' ? say.decline : say.deny}
            </Button>
            {kind === 'form' && (
              <Button look="quiet" disabled={busy} onClick={() => answer({ action: 'cancel' })}>
                {say.keep}
              </Button>
            )}
          </div>
        </form>
      )}
    </section>
  )
}

interface InputProps {
  field: FormField
  value: FormValue | undefined
  onChange: (value: FormValue) => void
}

function FormInput({ field, value, onChange }: InputProps) {
  const id = useId()
  const { title, description, type, choices = [], required, format, least, most } = field
  if (type === 'boolean')
    return (
      <label className="ask-check">
        <input
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
        />
        {description ? `${title}: ${description}` : title}
      </label>
    )
  if (type === 'several') {
    const chosen = Array.isArray(value) ? value : []
    const toggle = (each: string) =>
      onChange(chosen.includes(each) ? chosen.filter((other) => other !== each) : [...chosen, each])
    return (
      <fieldset className="ask-several">
        <legend>{description ? `${title}: ${description}` : title}</legend>
        {choices.map((each) => (
          <label key={each.value} className="ask-check">
            <input
              type="checkbox"
              checked={chosen.includes(each.value)}
              onChange={() => toggle(each.value)}
            />
            {each.title}
          </label>
        ))}
      </fieldset>
    )
  }
  if (choices.length > 0)
    return (
      <div className="field">
        <label htmlFor={id}>{title}</label>
        <select
          id={id}
          className="choice"
          required={required}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">–</option>
          {choices.map((each) => (
            <option key={each.value} value={each.value}>
              {each.title}
            </option>
          ))}
        </select>
        {description && <p className="field-hint">{description}</p>}
      </div>
    )
  const isNumber = type === 'number' || type === 'integer'
  return (
    <Field
      label={title}
      hint={description}
      required={required}
      type={isNumber ? 'number' : format ? INPUTS[format] : 'text'}
      {...(isNumber
        ? { min: least, max: most, step: type === 'integer' ? 1 : 'any' }
        : { minLength: least, maxLength: most })}
      value={value === undefined ? '' : String(value)}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

const INPUTS = { email: 'email', uri: 'url', date: 'date', 'date-time': 'text' } as const

function defaultsOf(fields: FormField[]): FormContent {
  return Object.fromEntries(
    fields.flatMap(({ name, type, default: standard }) =>
      standard !== undefined ? [[name, standard]] : type === 'boolean' ? [[name, false]] : [],
    ),
  )
}

/** Numbers are typed as text; what is empty is left out. */
function filledIn(fields: FormField[], content: FormContent): FormContent {
  return Object.fromEntries(
    fields.flatMap(({ name, type, required }) => {
      const value = content[name]
      if (value === undefined || value === '') return []
      if (Array.isArray(value) && value.length === 0 && !required) return []
      const isNumber = type === 'number' || type === 'integer'
      return [[name, isNumber ? Number(value) : value]]
    }),
  )
}
