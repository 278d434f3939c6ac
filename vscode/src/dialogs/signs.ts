/** Small drawings in the text's own colour; the page may load no picture. */
export function sign(name: string): string {
  const drawn = SIGNS[name]
  return drawn
    ? `<svg class="sign" viewBox="0 0 16 16" aria-hidden="true" focusable="false">${drawn}</svg>`
    : ''
}

const stroke = (path: string) =>
  `<path d="${path}" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/>`

const SIGNS: Record<string, string> = {
  twistie: stroke('M6 4l4 4-4 4'),
  search: stroke('M10.5 10.5L14 14M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10z'),
  running: stroke('M8 2a6 6 0 1 1-6 6'),
  waiting: `<circle cx="8" cy="8" r="6.5" fill="currentColor"/><path d="M8 4.5v4.2M8 11.3v.2" class="cut" fill="none" stroke-width="1.8" stroke-linecap="round"/>`,
  done: stroke('M3 8.5l3.2 3.2L13 5'),
  failed: stroke('M4 4l8 8M12 4l-8 8'),
  cancelled: stroke('M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM4 12l8-8'),
  pin: stroke('M6 2h4l-.5 4.5L12 9H4l2.5-2.5zM8 9v5'),
  unpin: `<path d="M6 2h4l-.5 4.5L12 9H4l2.5-2.5z" fill="currentColor"/>${stroke('M6 2h4l-.5 4.5L12 9H4l2.5-2.5zM8 9v5')}`,
  archive: stroke('M2 3h12v3H2zM3 6v7h10V6M6.5 9h3'),
  unarchive: stroke('M2 3h12v3H2zM3 6v7h10V6M8 12V8M6.3 9.7L8 8l1.7 1.7'),
}
