import type { Language } from './words.ts'

/** What went wrong, in the languages other than English, in which the server says it; by the code of the error. */
type Said = { message: string; hint?: string }

const ru: Record<string, Said> = {
  UNREACHABLE: { message: 'Recollect не отвечает.', hint: 'Работает ли ещё `recollect serve`?' },
  UNAUTHORIZED: {
    message: 'В этом браузере вход не выполнен.',
    hint: 'Откройте ссылку, которую напечатал `recollect serve`.',
  },
  FORBIDDEN: { message: 'На это нет прав.' },
  SESSION_NOT_FOUND: {
    message: 'Такого чата нет.',
    hint: 'Возможно, он удалён или ещё не прочитан: `recollect sync`.',
  },
  MESSAGE_NOT_FOUND: { message: 'Такого сообщения нет.' },
  NOT_FOUND: { message: 'Такого здесь нет.' },
  AMBIGUOUS_ID: { message: 'Так начинается несколько идентификаторов.', hint: 'Введите больше символов.' },
  NO_SESSIONS: {
    message: 'В архиве пока нет чатов.',
    hint: '`recollect sync` прочитает чаты на этом компьютере.',
  },
  INVALID_QUERY: {
    message: 'В этом запросе нечего искать.',
    hint: 'Введите хотя бы одно слово, которое должно найтись.',
  },
  INVALID_ARGUMENT: { message: 'Одно из значений не подходит.' },
  INVALID_CONFIG: { message: 'Файл настроек не читается.', hint: 'Исправьте файл; ничего не изменено.' },
  ARCHIVE_BUSY: { message: 'Архив занят другим процессом.', hint: 'Подождите немного и повторите.' },
  ARCHIVE_DAMAGED: { message: 'Архив повреждён.', hint: 'Выполните `recollect repair`.' },
  ARCHIVE_READ_ONLY: { message: 'Архив доступен только для чтения.' },
  ARCHIVE_GONE: { message: 'Файл архива исчез.', hint: '`recollect restore` вернёт резервную копию.' },
  ARCHIVE_TOO_NEW: { message: 'Архив создан более новой версией Recollect.', hint: 'Обновите Recollect.' },
  SAMPLE_ARCHIVE: { message: 'Пример архива изменить нельзя.' },
  DISK_FULL: { message: 'На диске нет места.', hint: 'Освободите место и повторите; ничего не потеряно.' },
  FILE_EXISTS: { message: 'Такой файл уже есть.' },
  FILE_CHANGED: { message: 'Файл тем временем изменился.', hint: 'Загрузите его снова.' },
  NOTHING_TO_EXPORT: { message: 'Экспортировать нечего.' },
  TOO_MANY_REQUESTS: { message: 'Слишком много запросов.', hint: 'Подождите минуту.' },
  OVERLOADED: { message: 'Сервер перегружен.', hint: 'Повторите немного позже.' },
  NO_PROVIDER: {
    message: 'Модель ещё не настроена.',
    hint: 'Источники → Модели.',
  },
  NO_KEY: { message: 'Для этой модели нет ключа.', hint: 'Источники → Модели.' },
  WRONG_KEY: { message: 'Ключ не принят.', hint: 'Скопируйте его ещё раз с сайта провайдера.' },
  QUESTION_NOT_FOUND: { message: 'Этого ответа больше никто не ждёт.' },
  RATE_LIMITED: { message: 'Поставщик модели просит подождать.' },
  SESSION_BUSY: { message: 'На этот чат как раз готовится ответ.' },
  CANCELLED: { message: 'Остановлено.' },
  UNEXPECTED: {
    message: 'Внутренняя ошибка Recollect.',
    hint: 'Повторите с LOG_LEVEL=debug и сообщите о ней.',
  },
}

const zh: Record<string, Said> = {
  UNREACHABLE: { message: 'Recollect 没有响应。', hint: '`recollect serve` 还在运行吗？' },
  UNAUTHORIZED: { message: '此浏览器尚未登录。', hint: '请打开 `recollect serve` 输出的链接。' },
  FORBIDDEN: { message: '没有权限执行此操作。' },
  SESSION_NOT_FOUND: { message: '没有这个对话。', hint: '它可能已被删除，或尚未读取：`recollect sync`。' },
  MESSAGE_NOT_FOUND: { message: '没有这条消息。' },
  NOT_FOUND: { message: '这里没有该内容。' },
  AMBIGUOUS_ID: { message: '有多个 ID 以此开头。', hint: '请输入更多字符。' },
  NO_SESSIONS: { message: '存档中还没有对话。', hint: '运行 `recollect sync` 读取本机的对话。' },
  INVALID_QUERY: { message: '此查询没有可搜索的内容。', hint: '请至少输入一个要查找的词。' },
  INVALID_ARGUMENT: { message: '某个值无效。' },
  INVALID_CONFIG: { message: '无法读取配置文件。', hint: '请修正该文件；没有任何更改。' },
  ARCHIVE_BUSY: { message: '存档正被另一个进程使用。', hint: '请稍后重试。' },
  ARCHIVE_DAMAGED: { message: '存档已损坏。', hint: '请运行 `recollect repair`。' },
  ARCHIVE_READ_ONLY: { message: '存档为只读。' },
  ARCHIVE_GONE: { message: '存档文件已不存在。', hint: '`recollect restore` 可恢复备份。' },
  ARCHIVE_TOO_NEW: { message: '存档由更新版本的 Recollect 写入。', hint: '请升级 Recollect。' },
  SAMPLE_ARCHIVE: { message: '示例存档不能更改。' },
  DISK_FULL: { message: '磁盘空间不足。', hint: '请释放空间后重试；没有丢失任何内容。' },
  FILE_EXISTS: { message: '文件已存在。' },
  FILE_CHANGED: { message: '文件在此期间已更改。', hint: '请重新加载。' },
  NOTHING_TO_EXPORT: { message: '没有可导出的内容。' },
  TOO_MANY_REQUESTS: { message: '请求过多。', hint: '请等待一分钟。' },
  OVERLOADED: { message: '服务器繁忙。', hint: '请稍后重试。' },
  NO_PROVIDER: { message: '尚未设置模型。', hint: '来源 → 模型。' },
  NO_KEY: { message: '此模型没有密钥。', hint: '来源 → 模型。' },
  WRONG_KEY: { message: '密钥未被接受。', hint: '请从提供商网站重新复制。' },
  QUESTION_NOT_FOUND: { message: '已经没有人在等这个回答。' },
  RATE_LIMITED: { message: '模型提供商要求稍候。' },
  SESSION_BUSY: { message: '此对话正在回答中。' },
  CANCELLED: { message: '已停止。' },
  UNEXPECTED: { message: 'Recollect 内部错误。', hint: '请用 LOG_LEVEL=debug 重新运行并反馈。' },
}

const WORDS: Partial<Record<Language, Record<string, Said>>> = { ru, zh }

/** In the person's language where we have words for it; the server's own words tell more and are kept as `original`. */
export function sayProblem(
  language: Language,
  problem: { code: string; message: string; hint?: string },
): Said & { original?: string } {
  const said = Object.hasOwn(WORDS[language] ?? {}, problem.code) ? WORDS[language]![problem.code] : undefined
  return said ? { ...said, original: problem.message } : { message: problem.message, hint: problem.hint }
}
