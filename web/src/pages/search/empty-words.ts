import { dictionary, plural } from '../../lib/words.ts'

/** Where there is nothing to show: fetched then. */
export const words = dictionary({
  en: {
    onlyExcludes: 'Nothing to search for',
    onlyExcludesText: (q: string) => `“${q}” only says what to leave out. Add a word to find: “stock ${q}”.`,
    noWords: 'Nothing to search for',
    noWordsText: 'Type at least one letter or digit.',
    badPattern: 'Not a regular expression',
    searchInstead: (words: string) => `Search for ${words}`,
    showRecent: 'Show recent chats',
    reading: 'Reading your chats',
    readingText: 'They appear here as they are read. Nothing leaves this machine.',
    noChats: 'No chats on this machine yet',
    noChatsText:
      'Recollect looked where these assistants keep their chats and found none. When you use one of them, its chats appear here automatically.',
    places: (n: number) => plural('en', n, 'place', 'places'),
    showSample: 'Explore a sample archive',
    addPlaces: 'Sources and settings',
  },
  ru: {
    onlyExcludes: 'Искать нечего',
    onlyExcludesText: (q) => `«${q}» говорит только, что исключить. Добавьте слово для поиска: «склад ${q}».`,
    noWords: 'Искать нечего',
    noWordsText: 'Введите хотя бы одну букву или цифру.',
    badPattern: 'Это не регулярное выражение',
    searchInstead: (words) => `Искать: ${words}`,
    showRecent: 'Показать недавние чаты',
    reading: 'Читаем ваши чаты',
    readingText: 'Они появляются здесь по мере чтения. Ничего не покидает этот компьютер.',
    noChats: 'На этом компьютере пока нет чатов',
    noChatsText:
      'Recollect посмотрел там, где эти ассистенты хранят чаты, и ничего не нашёл. Когда вы воспользуетесь одним из них, его чаты появятся здесь автоматически.',
    places: (n) => plural('ru', n, 'место', 'места', 'мест'),
    showSample: 'Открыть пример архива',
    addPlaces: 'Источники и настройки',
  },
  zh: {
    onlyExcludes: '没有可搜索的内容',
    onlyExcludesText: (q) => `“${q}”只说明要排除什么。请加上要找的词，例如“库存 ${q}”。`,
    noWords: '没有可搜索的内容',
    noWordsText: '请至少输入一个字母、汉字或数字。',
    badPattern: '不是有效的正则表达式',
    searchInstead: (words) => `搜索 ${words}`,
    showRecent: '查看最近的对话',
    reading: '正在读取你的对话',
    readingText: '读到的对话会陆续出现在这里。没有任何内容离开这台电脑。',
    noChats: '这台电脑上还没有对话',
    noChatsText:
      'Recollect 已查看这些助手存放对话的位置，但没有找到。一旦你使用其中之一，对话会自动出现在这里。',
    places: (n) => plural('zh', n, '个位置', '个位置'),
    showSample: '浏览示例存档',
    addPlaces: '来源与设置',
  },
})
