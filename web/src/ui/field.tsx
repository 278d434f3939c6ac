import { type InputHTMLAttributes, type ReactNode, type Ref, type SelectHTMLAttributes, useId } from 'react'
import { classes } from './classes.ts'

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string
  hint?: ReactNode
  /** Where the words around it say what it is for. */
  hideLabel?: boolean
  ref?: Ref<HTMLInputElement>
}

export function Field({ label, hint, hideLabel, className, ...rest }: FieldProps) {
  const id = useId()
  return (
    <div className={classes('field', className)}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : undefined}>
        {label}
      </label>
      <input id={id} aria-describedby={hint ? `${id}-hint` : undefined} autoComplete="off" {...rest} />
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  )
}

interface ChoiceProps<Value extends string>
  extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> {
  label: string
  value: Value
  options: { value: Value; label: string }[]
  onChange: (value: Value) => void
}

/** The browser's own list of choices, which phones and screen readers know well. */
export function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
  ...rest
}: ChoiceProps<Value>) {
  return (
    <select
      className={classes('choice', value !== options[0]?.value && 'choice-set')}
      aria-label={label}
      title={label}
      value={value}
      onChange={(event) => {
        const chosen = options.find((option) => option.value === event.target.value)
        if (chosen) onChange(chosen.value)
      }}
      {...rest}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

interface ToggleProps {
  label: string
  on: boolean
  onChange: (on: boolean) => void
  title?: string
}

/** Something that is on or off, shown as a small button that stays pressed. */
export function Toggle({ label, on, onChange, title }: ToggleProps) {
  return (
    <button type="button" className="toggle" aria-pressed={on} title={title} onClick={() => onChange(!on)}>
      {label}
    </button>
  )
}
