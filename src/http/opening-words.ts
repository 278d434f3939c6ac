/** What is said before somebody is let in: without the page and its languages, so by what the browser prefers. */
export interface OpeningWords {
  language: 'en' | 'ru' | 'zh'
  wrongPlace: string
  tooMany: string
  waitAMinute: string
  usedLink: string
  onceEach: string
  wrongToken: string
  askForToken: string
  token: string
  signIn: string
  withToken: string
  notLetIn: string
  openLink: string
  forThirtyDays: string
  /** How to get a link. */
  how: string
}

const SERVE = '<code>recollect serve</code>'

const en: OpeningWords = {
  language: 'en',
  wrongPlace: 'This address cannot be used',
  tooMany: 'Too many attempts',
  waitAMinute: 'Wait a minute, then try again.',
  usedLink: 'This link was used or is too old',
  onceEach: 'Each link opens the page once, within ten minutes.',
  wrongToken: 'That token is not valid',
  askForToken: 'Ask whoever runs this server for one.',
  token: 'Token',
  signIn: 'Sign in',
  withToken: 'With the token that you were given for this server.',
  notLetIn: 'Not let in',
  openLink: `Open the link that ${SERVE} printed`,
  forThirtyDays: 'It signs this browser in for 30 days.',
  how: `Press Enter where ${SERVE} runs, or start it again, and open the link that it prints.`,
}

const ru: OpeningWords = {
  language: 'ru',
  wrongPlace: 'Этот адрес не подходит',
  tooMany: 'Слишком много попыток',
  waitAMinute: 'Подождите минуту и попробуйте снова.',
  usedLink: 'Эта ссылка уже использована или устарела',
  onceEach: 'Каждая ссылка открывает страницу один раз, в течение десяти минут.',
  wrongToken: 'Такой токен не подходит',
  askForToken: 'Попросите токен у того, кто запустил этот сервер.',
  token: 'Токен',
  signIn: 'Войти',
  withToken: 'Введите токен, который вам дали для этого сервера.',
  notLetIn: 'Доступ закрыт',
  openLink: `Откройте ссылку, которую напечатал ${SERVE}`,
  forThirtyDays: 'После этого вход в этом браузере действует 30 дней.',
  how: `Нажмите Enter там, где работает ${SERVE}, или запустите его снова и откройте напечатанную ссылку.`,
}

const zh: OpeningWords = {
  language: 'zh',
  wrongPlace: '无法使用此地址',
  tooMany: '尝试次数过多',
  waitAMinute: '请稍等一分钟再试。',
  usedLink: '此链接已使用过或已过期',
  onceEach: '每个链接只能打开一次，十分钟内有效。',
  wrongToken: '令牌无效',
  askForToken: '请向运行此服务器的人索取令牌。',
  token: '令牌',
  signIn: '登录',
  withToken: '请输入你获得的此服务器的令牌。',
  notLetIn: '无法进入',
  openLink: `请打开 ${SERVE} 输出的链接`,
  forThirtyDays: '之后此浏览器将保持登录 30 天。',
  how: `在运行 ${SERVE} 的终端按 Enter，或重新启动它，然后打开它输出的链接。`,
}

/** In the language that the browser prefers of those we have. */
export function openingWords(request: Request): OpeningWords {
  const known: Record<string, OpeningWords> = { en, ru, zh }
  const preferred = (request.headers.get('accept-language') ?? '')
    .slice(0, 500)
    .split(',')
    .map((each) => {
      const [tag = '', ...options] = each.trim().toLowerCase().split(';')
      const weight = options.map((option) => /^\s*q=([\d.]+)/.exec(option)?.[1]).find(Boolean)
      return { language: tag.split('-')[0]!, weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ language, weight }) => Object.hasOwn(known, language) && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
  return known[preferred[0]?.language ?? 'en']!
}
