import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { agentBench, agentProcess, isAlive, TEST_SERVER } from './agent-kit.ts'
import { until } from './mcp-kit.ts'

const skip = process.platform !== 'linux' && 'needs /proc'

/** Ends a process that runs, and all below it; nothing where it is gone, as that of Windows. */
const TASKKILL = `
const fs = require('node:fs')
const [own, ...args] = process.argv.slice(2)
fs.appendFileSync(own + '.args', args.join(' ') + '\\n')
const parents = fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).flatMap((pid) => {
  try {
    return [[Number(pid), Number(fs.readFileSync('/proc/' + pid + '/stat', 'utf8').split(') ').at(-1).split(' ')[1])]]
  } catch { return [] }
})
const below = (pid) => [pid, ...parents.filter(([, parent]) => parent === pid).flatMap(([child]) => below(child))]
const pid = Number(args[1])
if (parents.some(([each]) => each === pid)) for (const each of below(pid)) process.kill(each, 'SIGKILL')
`
/** Runs a command line of words in quotes, as that of Windows does with /d /s /c. */
const CMD = `
const { spawn } = require('node:child_process')
const [own, ...flags] = process.argv.slice(2)
const line = flags.pop()
if (flags.join(' ') !== '/d /s /c') process.exit(9)
const [file, ...words] = line.slice(1, -1).match(/"[^"]*"/g).map((word) => word.slice(1, -1))
require('node:fs').writeFileSync(own + '.args', [file, ...words].join('\\n'))
spawn('/bin/sh', [file, ...words], { stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1))
`

for (const hasTaskkill of [true, false])
  test(`on Windows a server that is a script runs without a shell of ours, ${hasTaskkill ? 'and its whole tree ends' : 'and nobody waits for ever where taskkill fails'}`, {
    skip,
  }, async () => {
    const place = await agentBench({ scripts: [] })
    after(() => place.close())
    const file = (name: string, text: string) => {
      const made = path.join(place.folder, name)
      fs.mkdirSync(path.dirname(made), { recursive: true })
      fs.writeFileSync(made, text, { mode: 0o755 })
      return made
    }
    const program = (name: string, code: string) => {
      const own = file(`${name}.cjs`, code)
      return file(
        `Windows/System32/${name}.exe`,
        `#!/bin/sh\nunset NODE_OPTIONS\nexec '${process.execPath}' '${own}' "$0" "$@"\n`,
      )
    }
    const taskkill = hasTaskkill ? program('taskkill', TASKKILL) : undefined
    const cmd = program('cmd', CMD)
    const script = file('my tools/server.CMD', `exec '${process.execPath}' '${TEST_SERVER}'\n`)
    const pids = path.join(place.folder, 'pids')
    const env = { PID_FILE: pids, WITH_HELPER: '1', DEAF: '1' }
    const server = { id: 'test', command: script.replace('.CMD', ''), args: ['one word', 'x'], env }
    file('mcp-servers.json', JSON.stringify({ servers: [server] }))

    const child = agentProcess(
      place.folder,
      `await agent.servers()
    console.log('ready')
    await agent.close()
    console.log('closed')
    process.exit()`,
      {
        NODE_OPTIONS: `--import "data:text/javascript,Object.defineProperty(process,'platform',{value:'win32'})"`,
        SystemRoot: path.join(place.folder, 'Windows'),
        ComSpec: cmd,
        PATHEXT: '.EXE;.CMD',
        TEMP: place.folder,
      },
    )
    after(() => child.kill('SIGKILL'))
    let said = ''
    child.stdout?.on('data', (data) => {
      said += data
    })
    await until(
      'the server runs',
      () => fs.existsSync(pids) && /\d \d/.test(fs.readFileSync(pids, 'utf8')),
      120_000,
    )
    const [own = 0, helper = 0] = fs.readFileSync(pids, 'utf8').split(' ').map(Number)
    assert.equal(fs.readFileSync(`${cmd}.args`, 'utf8'), [script, 'one word', 'x'].join('\n'))
    await until('the agent is closed', () => said.includes('closed'), 120_000)
    if (!taskkill) {
      for (const pid of [own, helper]) process.kill(pid, 'SIGKILL')
      return
    }
    await until('nothing of it is left', () => !isAlive(own) && !isAlive(helper), 120_000)
    assert.match(fs.readFileSync(`${taskkill}.args`, 'utf8'), /^(?:\/pid \d+ \/t \/f\n){1,2}$/)
  })
