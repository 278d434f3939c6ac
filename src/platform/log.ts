const LEVELS = ['error', 'warn', 'info', 'debug'] as const

export type LogLevel = (typeof LEVELS)[number]

/** One line to stderr, unless `LOG_LEVEL` asks for less. Never to stdout: that belongs to answers. */
export function log(level: LogLevel, message: string): void {
  const wanted = LEVELS.indexOf((process.env.LOG_LEVEL ?? 'info') as LogLevel)
  if (LEVELS.indexOf(level) > (wanted < 0 ? LEVELS.indexOf('info') : wanted)) return
  try {
    process.stderr.write(`recollect: ${level}: ${message}\n`)
  } catch {
    // Nobody listens any more.
  }
}
