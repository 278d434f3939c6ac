import fs from 'node:fs'
import { GLANCE_BYTES, kinds, type Survey } from '../coverage/survey.ts'

export const survey: Survey = {
  used: kinds('start request remark answer'),
  ignored: kinds(''),
  *records({ path: file }, glance) {
    const bytes = fs.readFileSync(file)
    const lines = (glance ? bytes.subarray(-GLANCE_BYTES) : bytes).toString('utf8').split('\n')
    // Aider's own lines end in two spaces, unless an editor cut them off.
    const isMarked = lines.some((line) => line.startsWith('#### ') && line.endsWith('  '))
    let before = ''
    let last = ''
    let isRunning = false
    for (const line of lines) {
      if (line.startsWith('# aider chat started at')) {
        isRunning = true
        yield { kind: 'start' }
      } else if (!isRunning) continue
      else if (line.startsWith('####') && before.trim() === '') {
        const isOwn = isMarked ? line.endsWith('  ') : /^(>|# aider)/.test(last)
        yield { kind: 'request', turns: isOwn && isAsked(line.slice(4).trim()) ? 1 : 0 }
      } else if (line.startsWith('>')) yield { kind: 'remark' }
      else if (line.trim() !== '') yield { kind: 'answer' }
      before = line
      if (line.trim() !== '') last = line
    }
  },
}

function isAsked(said: string): boolean {
  if (said === '' || said === '<blank>' || /\(Y\)es\/\(N\)o.*\]: ?\w*$/.test(said)) return false
  return !/^[!/]/.test(said) || /^\/(ask|architect|code|context|help)\s+\S/.test(said)
}
