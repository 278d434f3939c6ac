/** What this browser remembers. Private windows and strict settings may refuse. */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(`recollect.${name}`)
  } catch {
    return null
  }
}

export function remember(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`recollect.${name}`)
    else localStorage.setItem(`recollect.${name}`, value)
  } catch {
    // It holds until the page is closed.
  }
}
