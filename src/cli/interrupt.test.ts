import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { onInterrupt } from './interrupt.ts'

for (const name of ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const) {
  test(`${name} asks the work to stop, and is left alone once it is done`, () => {
    const before = process.listenerCount(name)
    const { signal, done } = onInterrupt()
    process.emit(name)
    assert.ok(signal.aborted)
    done()
    assert.equal(process.listenerCount(name), before)
  })

  test(`a second ${name} ends it at once`, () => {
    const code = `import { onInterrupt } from ${JSON.stringify(new URL('./interrupt.ts', import.meta.url).href)}
      onInterrupt()
      process.emit('${name}')
      process.emit('${name}')
      process.exit(0)`
    assert.equal(spawnSync(process.execPath, ['--input-type=module', '-e', code]).status, 130)
  })
}
