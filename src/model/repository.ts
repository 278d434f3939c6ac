/**
 * A git remote as `host/owner/name`, whatever it was written as: `git@github.com:acme/shop.git`,
 * `ssh://git@github.com:22/acme/shop`, `https://user:token@github.com/acme/shop.git/`. So two checkouts are one, and no
 * password is kept. `acme/shop`, which some assistants write, stays so: which host it is on is not said. Undefined for
 * a path or anything else that names no repository that others could have too.
 */
export function plainRepository(remote: string): string | undefined {
  const given = remote.trim()
  const url =
    /^(?:git\+)?(?:https?|ssh|git|git\+ssh):\/\/(?:[^/@]*@)?([^/:]+|\[[^\]]+\])(?::\d*)?\/(.*)$/i.exec(given)
  if (url) return named(url[1]!, url[2]!)
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(given)) return undefined
  // `host:path`, but not a drive of Windows.
  const scp = /^(?:[^\s/@:]+@)?([^\s/@:]{2,}):(?!\\)(.+)$/.exec(given)
  if (scp) return named(scp[1]!, scp[2]!)
  if (/^[./\\~]|[\\\s:]/.test(given)) return undefined
  const [first = '', ...rest] = given.split('/')
  if (rest.length === 0) return undefined
  return first.includes('.') && rest.length > 1 ? named(first, rest.join('/')) : pathOf(given)
}

/** Equal for one repository. Hosts do not tell `Acme` and `acme` apart. */
export function repositoryKey(remote: string): string | undefined {
  return plainRepository(remote)?.toLowerCase()
}

/** Whether it is said which host the repository is on. */
export function hasHost(plain: string): boolean {
  const [first = '', ...rest] = plain.split('/')
  return rest.length > 1 && first.includes('.')
}

/** What a chat is about: what its assistant said of it, or, where that names no host, what its folder says. */
export function repositoryOf(told: string | undefined, found: string | undefined): string | undefined {
  const said = told === undefined ? undefined : plainRepository(told)
  if (said !== undefined && hasHost(said)) return said
  return found ?? said
}

function named(host: string, path: string): string | undefined {
  const plain = pathOf(path)
  if (plain === undefined) return undefined
  const azure = /^(?:v3\/)?([^/]+\/[^/]+)\/(?:_git\/)?([^/]+)$/.exec(plain)
  if (/^(?:ssh\.)?dev\.azure\.com$/i.test(host) && azure) return `dev.azure.com/${azure[1]}/${azure[2]}`
  return `${host.toLowerCase()}/${plain}`
}

function pathOf(path: string): string | undefined {
  const plain = decoded(path.replace(/[?#].*$/, ''))
    .replace(/^\/+|\/+$/g, '')
    .replace(/\.git$/i, '')
    .replace(/\/+/g, '/')
  return plain === '' || plain.length > 500 ? undefined : plain
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
