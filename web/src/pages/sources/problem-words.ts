import type { SourceReport } from '../../lib/types.ts'
import { dictionary, plural } from '../../lib/words.ts'

type Kind = NonNullable<SourceReport['problems'][number]['kind']>

/** What a problem is and what to do about it, by its kind. */
export const words = dictionary({
  en: {
    what: (kind: Kind, n: number, reason: string) =>
      ({
        unreadable: 'This folder cannot be read.',
        records: `${plural('en', n, 'record', 'records')} could not be read: ${reason}`,
        more: `${plural('en', n, 'more file', 'more files')} with such records.`,
      })[kind],
    next: (kind: Kind) =>
      ({
        unreadable: 'Grant yourself read access to it; it is then read automatically.',
        records:
          'The rest of the file was read. “recollect doctor” says where in it; a sync after an update tries again.',
        more: '“recollect doctor” lists all of them.',
      })[kind],
  },
  ru: {
    what: (kind, n, reason) =>
      ({
        unreadable: 'Эту папку прочитать нельзя.',
        records: `Не удалось прочитать: ${plural('ru', n, 'запись', 'записи', 'записей')} (${reason})`,
        more: `И ещё ${plural('ru', n, 'файл', 'файла', 'файлов')} с такими записями.`,
      })[kind],
    next: (kind) =>
      ({
        unreadable: 'Дайте себе право на чтение: после этого она прочитается сама.',
        records:
          'Остальное в файле прочитано. «recollect doctor» скажет, где именно; после обновления будет новая попытка.',
        more: '«recollect doctor» перечислит все.',
      })[kind],
  },
  zh: {
    what: (kind, n, reason) =>
      ({
        unreadable: '无法读取此文件夹。',
        records: `${n} 条记录无法读取：${reason}`,
        more: `另有 ${n} 个文件包含此类记录。`,
      })[kind],
    next: (kind) =>
      ({
        unreadable: '授予自己读取权限后会自动读取。',
        records: '文件的其余部分已读取。“recollect doctor”会指出位置；更新后同步会再次尝试。',
        more: '“recollect doctor”会全部列出。',
      })[kind],
  },
})
