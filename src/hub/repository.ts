/** One key for one repository, however its remote is written: with a protocol, a login, a port, `.git` or none of it. */
export function repositoryKey(remote: string): string {
  const plain = remote
    .trim()
    .replace(/^[a-z+]+:\/\//i, '')
    .replace(/^[^/@]*@/, '')
  return plain
    .replace(/^([^/:]+):(?:\d+\/)?/, '$1/')
    .replace(/(?:\.git)?\/*$/i, '')
    .toLowerCase()
}
