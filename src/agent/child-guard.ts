import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Reads `+ <process group>` and `- <process group>` from its standard input. When that ends, whoever
 * wrote to it is gone, and the groups that are left are ended: asked first, then killed.
 */
const GUARD = `
groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -s TERM -- "-$group"; done 2>/dev/null
[ "$groups" = ' ' ] || sleep 1
for group in $groups; do kill -s KILL -- "-$group"; done 2>/dev/null
`

let guard: ChildProcess | undefined

/**
 * Sees to it that a process group ends with this process, even where this one is killed and can do
 * nothing about it. On Windows a child of Node ends with it, and so do that child's own where it is Node too.
 */
export function guardGroup(group: number): { release(): void } {
  if (process.platform === 'win32') return { release() {} }
  guard ??= start()
  const { stdin } = guard
  stdin?.write(`+ ${group}\n`)
  return { release: () => void stdin?.write(`- ${group}\n`) }
}

/** A shell of its own session: Ctrl-C in the terminal does not reach it, and it takes a megabyte. */
function start(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', GUARD], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: { PATH: process.env.PATH },
    cwd: '/',
  })
  const forget = () => {
    if (guard === child) guard = undefined
  }
  child.on('error', forget).on('exit', forget)
  child.stdin?.on('error', forget)
  child.unref()
  // A pipe keeps the process waiting unless it is told not to.
  if (child.stdin && 'unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref()
  return child
}
