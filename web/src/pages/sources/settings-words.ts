import { dictionary } from '../../lib/words.ts'

export const words = dictionary({
  en: {
    saved: 'Saved.',
    file: (path: string) => `These settings are kept in ${path}.`,
    folders: 'Folders',
    foldersText:
      'Home folders of other machines that are read as well: a copy, a mounted WSL or remote home.',
    noFolders: 'Only this machine’s own home folder is read.',
    folder: 'Home folder to read as well',
    add: 'Add',
    remove: (path: string) => `Stop reading ${path}`,
    redaction: 'Redaction',
    redactionText:
      'Passwords and keys are never shown unless you ask for it. They can also be left out of what is archived from now on.',
    redactAtRest: 'Archive new messages without their secrets',
    redactOld:
      'What is archived already: “recollect redact” counts the secrets in it, “recollect redact --at-rest” takes them out for good.',
    missing: 'not there now',
  },
  ru: {
    saved: 'Сохранено.',
    file: (path) => `Настройки хранятся в ${path}.`,
    folders: 'Папки',
    foldersText:
      'Домашние папки с других компьютеров, которые тоже читаются: копия, папка WSL или удалённая.',
    noFolders: 'Читается только домашняя папка этого компьютера.',
    folder: 'Ещё одна домашняя папка',
    add: 'Добавить',
    remove: (path) => `Больше не читать ${path}`,
    redaction: 'Скрытие секретов',
    redactionText:
      'Пароли и ключи показываются только по вашему запросу. Новые сообщения можно и сохранять без них.',
    redactAtRest: 'Сохранять новые сообщения без секретов',
    redactOld:
      'Что уже в архиве: «recollect redact» считает секреты в нём, «recollect redact --at-rest» убирает их навсегда.',
    missing: 'сейчас её нет',
  },
  zh: {
    saved: '已保存。',
    file: (path) => `这些设置保存在 ${path}。`,
    folders: '文件夹',
    foldersText: '同时读取的其他电脑的主目录：副本、挂载的 WSL 或远程主目录。',
    noFolders: '只读取这台电脑的主目录。',
    folder: '要一并读取的主目录',
    add: '添加',
    remove: (path) => `不再读取 ${path}`,
    redaction: '脱敏',
    redactionText: '密码和密钥只有在你要求时才会显示。今后存档的内容也可以不包含它们。',
    redactAtRest: '存档新消息时去掉密钥',
    redactOld: '已存档的内容：“recollect redact”统计其中的密钥，“recollect redact --at-rest”将其永久去除。',
    missing: '目前不存在',
  },
})
