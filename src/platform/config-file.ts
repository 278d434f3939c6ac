import path from 'node:path'
import { RecollectError } from '../model/errors.ts'
import { textOf } from './change-file.ts'

export function configFile(folder: string): string {
  return path.join(folder, 'config.json')
}

/** What `config.json` says, not yet checked, or nothing where there is none. Loads nothing: a start may wait for it. */
export function readConfigFile(folder: string): unknown {
  const file = configFile(folder)
  let text: string | undefined
  try {
    text = textOf(file)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new RecollectError(
      'INVALID_CONFIG',
      `${file} could not be read: ${code === 'EISDIR' ? 'it is a folder' : message}.`,
      'Nothing is read or served while it is unknown what was switched off. Make it readable, or remove it.',
    )
  }
  if (text === undefined) return undefined
  try {
    // Some editors on Windows begin a file with a mark.
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new RecollectError(
      'INVALID_CONFIG',
      `${file} is not valid JSON: ${(error as Error).message}`,
      'Correct it or remove it.',
    )
  }
}
