// Used by the page too: no imports.

/** `2026-05-01`, in the user's own time zone; nothing where there is no time. */
export function dayOf(at: number | Date | undefined): string {
  if (at === undefined) return ''
  const date = new Date(at)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** `2026-05-01 14:03`, in the user's own time zone; nothing where there is no time. */
export function dateTime(at: number | undefined): string {
  if (!at) return ''
  const date = new Date(at)
  return `${dayOf(at)} ${two(date.getHours())}:${two(date.getMinutes())}`
}

function two(n: number): string {
  return String(n).padStart(2, '0')
}
