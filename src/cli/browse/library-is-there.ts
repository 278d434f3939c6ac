/** Settled when the terminal's library can be used. A bundle loads a part of it beside the rest (scripts/terminal-library.ts). */
export const libraryIsThere: Promise<void> = Promise.resolve()
