import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namingRequest, tells, titleLine } from './title.ts'

const lines: [request: string, title: string][] = [
  ['Fix the parser', 'Fix the parser'],
  ['\n\n  Fix the parser  \nIt drops commas', 'Fix the parser'],
  // Announcements give way to what they announce.
  [
    'Implement the following plan:\n\n# Add retries to uploads\n\n## Context\nThey fail',
    'Add retries to uploads',
  ],
  ['Implement the following plan:\n\n# Plan: Add retries to uploads', 'Add retries to uploads'],
  ['Implement the following plan: add retries to uploads', 'add retries to uploads'],
  ["Here's the plan:\n\n## Context\n\nUploads fail on slow lines.", 'Uploads fail on slow lines.'],
  ['Реализуй следующий план:\n\n# Повтор загрузок', 'Повтор загрузок'],
  ['请执行以下计划：\n\n# 上传重试', '上传重试'],
  ['次の計画を実装してください:\n# アップロードの再試行', 'アップロードの再試行'],
  ['다음 계획을 구현해 주세요:\n# 업로드 재시도', '업로드 재시도'],
  ['Setze den folgenden Plan um:\n\n# Uploads wiederholen', 'Uploads wiederholen'],
  ['Implémente le plan suivant :\n# Reprise des envois', 'Reprise des envois'],
  ['Implementa el siguiente plan:\n# Reintentar las subidas', 'Reintentar las subidas'],
  ['Implemente o seguinte plano:\n# Repetir os envios', 'Repetir os envios'],
  // Greetings.
  ['Hi!\nWhy is the build red?', 'Why is the build red?'],
  ['Hello, can you help me?\nThe build is red since Monday', 'The build is red since Monday'],
  ['Hi, why is the build red?', 'why is the build red?'],
  ['Привет!\nПочему сборка красная?', 'Почему сборка красная?'],
  ['Привет, почему сборка красная?', 'почему сборка красная?'],
  ['你好！\n为什么构建失败', '为什么构建失败'],
  ['Bonjour, merci !\nPourquoi le build échoue', 'Pourquoi le build échoue'],
  // What tools put there.
  ['<command-name>/fix</command-name>\n<command-args>the parser</command-args>\nthe parser', 'the parser'],
  ['<system-reminder>\nnever tell\n</system-reminder>\nRename the shop', 'Rename the shop'],
  ['<user_query>\nRename the shop\n</user_query>', 'Rename the shop'],
  ['[Image #1] Why is this button grey?', 'Why is this button grey?'],
  ['[Request interrupted by user]\nRename the shop', 'Rename the shop'],
  // Pasted logs and code give way to the words about them.
  [
    '2026-05-04T09:00:00Z INFO started\n2026-05-04T09:00:01Z ERROR no such table\nWhy is the table missing?',
    'Why is the table missing?',
  ],
  [
    'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\nKeyError: \'x\'\n\nwhat does this mean',
    'what does this mean',
  ],
  [
    'npm ERR! code ERESOLVE\nnpm ERR! could not resolve\nhelp me get rid of the peer conflict',
    'help me get rid of the peer conflict',
  ],
  ['```ts\nconst a = 1;\n```\nMake this readonly', 'Make this readonly'],
  ['const a = 1;\nMake this readonly', 'Make this readonly'],
  ['https://example.com/issue/7\nCan you reproduce it here?', 'Can you reproduce it here?'],
  ['You are a senior engineer.\nSplit the parser into two files', 'Split the parser into two files'],
  // Nothing better there: what there is.
  ['continue', 'continue'],
  ['Implement the following plan:', 'Implement the following plan:'],
  ['TypeError: x is not a function', 'TypeError: x is not a function'],
  ['https://example.com/issue/7', 'https://example.com/issue/7'],
  ['```\nmake all\n```', 'make all'],
  ['<b></b>', '<b></b>'],
  ['', ''],
  ['   \n\t', ''],
]
for (const [request, title] of lines) {
  test(`the title of ${JSON.stringify(request.slice(0, 50))}`, () => assert.equal(titleLine(request), title))
}

const saysNothing = `Continue|continue.|go on|Go ahead!|ok|OK, thanks|yes please|Yes, continue|please continue|y|👍|...
hi|Hello there!|Hey 👋|good morning|can you help me?|продолжай|Продолжай, пожалуйста|дальше|да|привет|Добрый день!
继续|请继续|好的|谢谢|你好|続けてください|はい|こんにちは|계속해 주세요|안녕하세요|weiter|Mach bitte weiter|ja, danke
continue s'il te plaît|d'accord|Vas-y|sigue por favor|hola|olá|continua|devam et|Plan:|# Context|Task|Here is the log:
Here's the error I get|Вот лог:|Задача|Контекст:|Execute this plan|Follow the steps below:`
for (const line of saysNothing.split(/[|\n]/)) {
  test(`${JSON.stringify(line)} tells nothing`, () => assert.equal(tells(line), 0))
}

const saysEnough = `continue with the parser tests|go on with step 3 of the migration|hello world program in Rust|fix it|why?|rename x
plan the migration to Postgres|implement the plan from docs/plan.md|error handling in uploads|продолжай миграцию|继续写测试
The log is empty|You can drop the table|import of old chats|/deploy to staging`
for (const line of saysEnough.split(/[|\n]/)) {
  test(`${JSON.stringify(line)} tells enough`, () => assert.equal(tells(line), 2))
}

test('a line of its own making tells as much as the line it was made of', () => {
  for (const [request] of lines) {
    const title = titleLine(request)
    assert.equal(tells(titleLine(title)), tells(title), title)
  }
})

test('the most telling of the first few requests names a chat, the earlier one where two tell as much', () => {
  assert.equal(namingRequest([]), undefined)
  assert.equal(namingRequest(['hi', 'continue']), 'hi')
  assert.equal(namingRequest(['hi', 'TypeError: no', 'why is it red?', 'and this?']), 'why is it red?')
  assert.equal(namingRequest(['fix the parser', 'and the lexer']), 'fix the parser')
  assert.equal(
    namingRequest(['1', '2', '3', '4', '5', 'late'].map((each) => (each === 'late' ? each : 'ok'))),
    'ok',
  )
})

test('a large paste costs little', () => {
  const line = '2026-05-04T09:00:00Z INFO tick\n'
  assert.equal(titleLine(line.repeat(200_000)), line.trim())
  assert.equal(titleLine('<'.repeat(2_000_000)).length > 0, true)
})
