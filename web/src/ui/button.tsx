import type { ButtonHTMLAttributes, Ref } from 'react'
import { classes } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` for the one thing to do here, `danger` for what cannot be taken back. */
  look?: 'plain' | 'primary' | 'quiet' | 'danger'
  icon?: IconName
  ref?: Ref<HTMLButtonElement>
}

export function Button({ look = 'plain', icon, className, children, ...rest }: ButtonProps) {
  return (
    <button type="button" className={classes('button', `button-${look}`, className)} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

interface IconButtonProps extends Omit<ButtonProps, 'look' | 'children'> {
  icon: IconName
  /** Said to those who cannot see the icon, and shown on hover. */
  label: string
}

export function IconButton({ icon, label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      className={classes('icon-button', className)}
      aria-label={label}
      title={label}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  )
}
