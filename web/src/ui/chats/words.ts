import { dictionary, plural } from '../../lib/words.ts'

export const words = dictionary({
  en: {
    choose: 'Choose chats',
    find: 'Find a chat',
    done: 'Done',
    add: 'Add a chat',
    remove: (title: string) => `Remove ${title}`,
    chosen: 'Chosen chats',
    none: 'Nothing found',
    messages: (n: number) => plural('en', n, 'message', 'messages'),
  },
  ru: {
    choose: 'Выбор чатов',
    find: 'Найти чат',
    done: 'Готово',
    add: 'Добавить чат',
    remove: (title: string) => `Убрать ${title}`,
    chosen: 'Выбранные чаты',
    none: 'Ничего не найдено',
    messages: (n: number) => plural('ru', n, 'сообщение', 'сообщения', 'сообщений'),
  },
  zh: {
    choose: '选择对话',
    find: '查找对话',
    done: '完成',
    add: '添加对话',
    remove: (title: string) => `移除 ${title}`,
    chosen: '已选对话',
    none: '没有找到',
    messages: (n: number) => `${n.toLocaleString('zh')} 条消息`,
  },
})
