/** Whether a file of this name would be a device on Windows, with any ending: `NUL.md` is no file either. */
export function isDeviceName(name: string): boolean {
  return /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\..*)?$/i.test(name)
}
