/** The most frequent words first; behind them come made-up ones, as many as are wanted. */
export const ENGLISH = words(`
the to a of and in is it that for you this with on be not are as if we can from have or at by an will but do
there so when which one all use file was code test now run should error has then only my what more no add
change same function data value need first after where new work name would call make here time how its may
line back before still result type also just out get other two because each into read set up check about
list write see message server than without does way up request case find server might string was path client
user key look more table query start cache number while image fails state return build default left order
other until however page service version between through index many since even without process field size
three never already several rather every instead perhaps thread lock second memory small safe large once
both under these those again today why problem cause fix issue step right wrong simple better true false
empty missing old next last real later branch commit merge review release deploy config option module package
import export object array class method parameter argument handler event stream buffer socket port host
header body response status token session login account password database column row transaction migration
schema constraint foreign timeout retry limit queue worker job batch schedule log metric alert trace debug
warning exception stack overflow null undefined promise async await callback render component layout style
button form input click scroll browser network latency throughput load balance replica shard backup restore
cluster container volume secret certificate domain proxy gateway cookie cors origin encode decode parse
format compress hash sign verify random seed unit integration coverage mock fixture snapshot pipeline stage
approve reject owner team document example sample note draft idea plan goal reason choice trade cost benefit
risk impact measure compare improve reduce increase replace remove rename move copy split join sort filter
group count sum average maximum minimum range offset cursor page total partial complete ready pending active
`)

export const RUSSIAN = words(`
и в не на что с по это как для из если но у же то так при или после все только можно нужно когда а до
есть быть он она они мы вы я его её их этот эта эти того тот также ещё уже надо без через чтобы где
потому поэтому тогда теперь здесь там раз два три один другой такой каждый любой весь сам самый очень
файл код тест ошибка запрос ответ сервер база данные таблица строка столбец индекс ключ значение
функция модуль класс метод параметр список время дата память поток очередь задача работа процесс сервис
клиент пользователь заказ сессия токен доступ права настройка конфиг версия сборка ветка релиз
выкатка миграция транзакция блокировка таймаут повтор предел нагрузка скорость задержка кэш реплика
копия журнал метрика причина проблема решение вариант пример проверка изменение правка замена
удаление добавление чтение запись поиск сортировка размер число количество часть начало конец первый
второй последний новый старый общий нужный важный простой сложный быстрый медленный большой маленький
правильный неверный пустой полный готовый обычный отдельный внутри снаружи сначала потом затем иногда
всегда никогда часто редко сразу позже раньше лучше хуже больше меньше сделать проверить исправить
добавить убрать переписать запустить остановить вернуть получить отправить прочитать записать найти
посмотреть понять объяснить сравнить измерить работает падает возвращает получает зависит нужен должен
может стоит значит означает остаётся появляется пропадает меняется приходит уходит хранится лежит
страница кнопка форма поле экран стиль событие обработчик сообщение канал соединение пул адрес порт
`)

export const CHINESE = words(`
的 是 在 了 不 和 有 我们 这个 可以 如果 需要 一个 没有 因为 所以 但是 或者 然后 就 都 也 会 要 用 对 把 被 从 到
代码 文件 测试 错误 请求 响应 服务 服务器 数据 数据库 数据表 字段 索引 缓存 查询 函数 模块 接口 参数 返回 结果 类型 对象
时间 内存 线程 进程 队列 任务 消息 事件 日志 配置 版本 分支 提交 发布 部署 构建 依赖 环境 容器 镜像 网络 延迟 超时 重试
连接 事务 死锁 锁 并发 性能 优化 压力 负载 限流 降级 监控 告警 用户 登录 权限 会话 令牌 订单 页面 组件 样式 布局 按钮
问题 原因 方案 建议 例子 说明 修改 增加 删除 替换 检查 确认 运行 启动 停止 读取 写入 查找 排序 过滤 比较 合并 拆分
首先 其次 最后 目前 之前 之后 同时 另外 其实 应该 可能 已经 还是 只有 每次 所有 部分 全部 第一 第二 默认 正确 失败 成功
简单 复杂 更快 更慢 太大 太小 新的 旧的 一样 不同 直接 自动 手动 本地 远程 线上 生产 这里 那里 里面 外面 上面 下面
`)

/** Frequent characters; a rarer Chinese word is two or three of them. */
export const HANZI = [
  ...`一不是了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成
方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工
使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表
化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结
反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难
且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔签键网络端签`,
].filter((char) => char !== '\n')

export const ENGLISH_SYLLABLES = words(`
ba be bi bo bra bre ca ce ci co cra cre da de di do dra fa fe fi flo fra ga ge gla go gra ha he hi ho in ja ka ke ki
la le li lo lu ma me mi mo na ne ni no or pa pe pi pla po pra qua ra re ri ro ru sa se si sla so sta ste sto ta te ti
to tra tri un va ve vi vo wa we zen zo
`)
export const ENGLISH_ENDINGS = [
  '',
  '',
  '',
  's',
  'ed',
  'ing',
  'er',
  'tion',
  'al',
  'ly',
  'ment',
  'ness',
  'able',
  'ize',
]

export const RUSSIAN_SYLLABLES = words(`
ба бе би бо бра ва ве ви во вра га ге го гра да де ди до дра жа же за зе зо ка ке ки ко кра ла ле ли ло лу ма ме ми мо
му на не ни но ну па пе пи по пра ра ре ри ро ру са се си со ста сте сто та те ти то тра фа фи хо ца че ша ши
`)
export const RUSSIAN_ENDINGS = words(`
а у ом е ы ов ам ами ах ый ая ое ые ого ому ыми ых ение ения ению ением ость ости остью ник ника ники ать ает ают ал
ала али ить ит ят ил ился ется ются ция ции цией
`)

export const NOUNS = words(`
user order cart item price stock invoice payment refund coupon session token account profile message channel event job
task queue worker batch stream buffer chunk file path folder config option setting request response header cookie route
handler query result row column index cache entry key value node tree list map layer tile view page form field button
theme font image asset report metric counter timer clock lease lock token client server socket peer cluster shard
replica snapshot segment ledger policy rule scope role grant schema table cursor window range offset limit budget quota
`)
export const VERBS = words(`
get set load save read write fetch send parse format render build create update remove delete insert find list count
check verify resolve apply merge split sort filter map reduce open close start stop retry cancel schedule flush commit
`)

function words(text: string): string[] {
  return [...new Set(text.trim().split(/\s+/))]
}
