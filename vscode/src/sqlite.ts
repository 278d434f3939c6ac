/**
 * Whether this runtime has SQLite. An older Node calls it experimental when it is first loaded, which
 * VS Code would show as an error: that one remark is left out.
 */
export function hasSqlite(): boolean {
  const { emitWarning } = process
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    const [given] = rest
    const type = given && typeof given === 'object' && 'type' in given ? given.type : given
    if (type !== 'ExperimentalWarning') Reflect.apply(emitWarning, process, [warning, ...rest])
  }
  try {
    return process.getBuiltinModule?.('node:sqlite') !== undefined
  } finally {
    process.emitWarning = emitWarning
  }
}
