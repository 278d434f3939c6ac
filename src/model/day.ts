/** `2026-05-01`, in the user's own time zone; nothing where there is no time. */
export function dayOf(at: number | Date | undefined): string {
  if (at === undefined) return ''
  const date = new Date(at)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
