import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { classes } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'

interface MenuProps {
  /** What the button says, or its name where it shows only an icon. */
  label: string
  icon?: IconName
  hideLabel?: boolean
  /** What it is for, where the label says what is chosen. */
  name?: string
  onOpen?: () => void
  className?: string
  children: ReactNode
}

const EDGE = 8

/** A button that opens a list of things to do, in the browser's own popover. */
export function Menu({ label, icon, hideLabel, name, onOpen, className, children }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)

  const place = () => {
    const [at, size] = [button.current?.getBoundingClientRect(), list.current?.getBoundingClientRect()]
    if (!at || !size || !list.current) return
    const left = Math.min(at.left, innerWidth - size.width - EDGE)
    const below = at.bottom + 4 + size.height < innerHeight - EDGE
    list.current.style.left = `${Math.max(EDGE, left)}px`
    list.current.style.top = `${Math.max(EDGE, below ? at.bottom + 4 : at.top - size.height - 4)}px`
  }
  // What is listed may come after it was opened.
  useLayoutEffect(() => {
    if (list.current?.matches(':popover-open')) place()
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
    const at = items.findIndex((item) => item.matches(':focus'))
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    items.at(next % items.length)?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={classes(hideLabel ? 'icon-button' : 'button button-quiet', className)}
        popoverTarget={id}
        aria-haspopup="menu"
        aria-label={hideLabel ? label : name && !label.startsWith(name) ? `${name}: ${label}` : undefined}
        title={hideLabel ? label : name}
      >
        {icon && <Icon name={icon} />}
        {!hideLabel && label}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={name ?? label}
        className="menu"
        onKeyDown={onKeyDown}
        onToggle={(event) => {
          if (event.newState !== 'open') return
          onOpen?.()
          place()
          list.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus({ preventScroll: true })
        }}
      >
        {children}
      </div>
    </>
  )
}

interface MenuItemProps {
  icon?: IconName
  children: ReactNode
  /** Right of the text: a key, a size. */
  note?: string
  onClick?: () => void
  /** A link instead of an action. */
  href?: string
  download?: boolean
  danger?: boolean
  /** For one of several choices: whether it is the chosen one. */
  checked?: boolean
  /** Any number of them may be chosen: the menu stays open. */
  several?: boolean
}

export function MenuItem({
  icon,
  children,
  note,
  onClick,
  href,
  download,
  danger,
  checked,
  several,
}: MenuItemProps) {
  const inside = (
    <>
      {checked !== undefined ? <span className="menu-check">{checked && <Icon name="check" />}</span> : null}
      {icon && <Icon name={icon} />}
      <span className="menu-text">{children}</span>
      {note && <span className="menu-note">{note}</span>}
    </>
  )
  const close = (target: EventTarget & Element) => target.closest<HTMLElement>('[popover]')?.hidePopover()
  const name = classes('menu-item', danger && 'menu-item-danger')
  if (href !== undefined)
    return (
      <a
        role="menuitem"
        tabIndex={-1}
        className={name}
        href={href}
        download={download}
        onClick={(event) => close(event.currentTarget)}
      >
        {inside}
      </a>
    )
  const act = (target: EventTarget & Element) => {
    close(target)
    onClick?.()
  }
  if (checked !== undefined && several)
    return (
      <button
        type="button"
        role="menuitemcheckbox"
        aria-checked={checked}
        tabIndex={-1}
        className={name}
        onClick={onClick}
      >
        {inside}
      </button>
    )
  if (checked !== undefined)
    return (
      <button
        type="button"
        role="menuitemradio"
        aria-checked={checked}
        tabIndex={-1}
        className={name}
        onClick={(event) => act(event.currentTarget)}
      >
        {inside}
      </button>
    )
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={name}
      onClick={(event) => act(event.currentTarget)}
    >
      {inside}
    </button>
  )
}

export function MenuLine() {
  return <hr className="menu-line" />
}

export function MenuTitle({ children }: { children: ReactNode }) {
  return (
    <div className="menu-title" role="presentation">
      {children}
    </div>
  )
}
