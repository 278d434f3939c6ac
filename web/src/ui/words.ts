import { dictionary } from '../lib/words.ts'

export const words = dictionary({
  en: {
    close: 'Close',
    copy: 'Copy',
    copied: 'Copied',
    tryAgain: 'Try again',
    image: 'image',
    remoteImage: 'Pictures are not fetched from the network',
    showAll: (lines: number) => `Show all ${lines} lines`,
    showLess: 'Show less',
  },
  ru: {
    close: 'Закрыть',
    copy: 'Копировать',
    copied: 'Скопировано',
    tryAgain: 'Повторить',
    image: 'изображение',
    remoteImage: 'Картинки не загружаются из сети',
    showAll: (lines) => `Показать все строки: ${lines}`,
    showLess: 'Свернуть',
  },
  zh: {
    close: '关闭',
    copy: '复制',
    copied: '已复制',
    tryAgain: '重试',
    image: '图片',
    remoteImage: '不会从网络加载图片',
    showAll: (lines) => `显示全部 ${lines} 行`,
    showLess: '收起',
  },
})
