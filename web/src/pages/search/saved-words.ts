import { dictionary } from '../../lib/words.ts'

export const words = dictionary({
  en: {
    saved: 'Saved searches',
    saveAs: 'Save this search as',
    save: 'Save',
    noSaved: 'None yet. Search for something, then save it here.',
    removeSaved: (name: string) => `Remove “${name}”`,
  },
  ru: {
    saved: 'Сохранённые поиски',
    saveAs: 'Сохранить этот запрос как',
    save: 'Сохранить',
    noSaved: 'Пока пусто. Найдите что-нибудь и сохраните здесь.',
    removeSaved: (name) => `Удалить «${name}»`,
  },
  zh: {
    saved: '已保存的搜索',
    saveAs: '将此搜索保存为',
    save: '保存',
    noSaved: '还没有。先搜索，再保存到这里。',
    removeSaved: (name) => `删除“${name}”`,
  },
})
