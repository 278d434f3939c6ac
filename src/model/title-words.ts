/**
 * Words that say nothing of what a chat is about: greetings, yes and no, "go on", "please". A line of
 * nothing else is no title. By language, as people type them, in lower case.
 */
const FILLERS = `
  hi hello hey yo hiya there dear all everyone good morning afternoon evening day sup
  yes yep yeah yup y no nope n ok okay okey k sure fine great nice cool perfect thanks thank thx ty you
  please pls plz continue proceed resume go on ahead keep going next start begin do it that this again retry
  try now then and so well right done ready more just carry with from where we left off
  can could would help me need a the question something quick i have
  привет приветствую здравствуй здравствуйте добрый день вечер утро доброе всем хай
  да нет ага угу ок окей хорошо ладно понял отлично супер спасибо пожалуйста
  продолжай продолжить продолжайте продолжи продолжаем дальше далее давай вперед вперёд поехали начинай
  начни сделай делай это ещё еще раз помоги мне можешь помочь нужна помощь вопрос есть у меня и
  привіт вітаю добрий так ні добре гаразд дякую продовжуй продовжити далі давай будь ласка
  hallo guten tag morgen abend servus moin ja nein gut danke bitte weiter mach weitermachen fortfahren fahre
  fort los jetzt nochmal kannst du mir helfen
  bonjour salut bonsoir coucou oui non merci continue continuez continuer vas y allez allons sil te vous plaît
  plait daccord suivant encore
  hola buenos buenas días dias tardes noches sí si vale gracias continúa continua continuar continúe sigue
  seguir adelante dale por favor siguiente otra vez
  olá ola oi bom boa dia tarde noite sim não nao obrigado obrigada prossiga siga seguir próximo
  ciao salve buongiorno buonasera sì grazie prego procedi continuare avanti per favore va bene
  cześć czesc dzień dobry witaj tak nie dziękuję dzięki proszę kontynuuj dalej
  merhaba selam evet hayır tamam teşekkürler lütfen devam et
  hoi dag goedemorgen nee bedankt graag verder ga door
  hej tack fortsätt vidare hei fortsett takk
`

export const FILLER_WORDS: ReadonlySet<string> = new Set(FILLERS.split(/\s+/).filter((word) => word !== ''))

/** The same in languages that put no spaces between words. */
export const FILLER_PHRASES =
  /^(?:[请請]?(?:[继繼][续續]|接着)(?:吧|做|[执執]行|下去)?|你好|您好|嗨|好的?|[谢謝]{2}|是的?|[对對]的?|可以|[开開]始吧?|下一步|[请請]?[帮幫](?:我|忙)(?:一下)?|こんにちは|おはよう(?:ございます)?|こんばんは|はい|いいえ|了解(?:です)?|[続つ]づ?けて(?:ください|下さい)?|次へ?|お願いします|ありがとう(?:ございます)?|안녕(?:하세요)?|네|예|아니요|좋아요?|계속(?:해|해줘|해 ?주세요|하세요|진행해 ?줘)?|다음|시작해?(?:줘)?|감사(?:합니다)?|고마워요?|부탁(?:해|드립니다)?)$/u

/** Openings that only announce what follows: the plan, the log, the task. Compared without punctuation. */
export const LEAD_INS = [
  /^(?:please |now |ok |okay |lets |let us )*(?:implement|execute|follow|carry out|apply|do|run|use|start|complete|finish|build|continue) (?:with )?(?:the|this|that|my|our) (?:following |attached |approved |above |below |next )?(?:plan|steps?|specs?|specification|instructions?|tasks?|todos?|changes|prompt)(?: below| above| step by step)?$/,
  /^(?:and |so |now )?(?:here is|here are|heres|this is|these are|that is|below is|below are|see|i have|ive got|i get|i got|i am getting|im getting|look at|check|given|with) (?:the |my |a |an |our |this |these |some )?(?:following |current |full |whole |complete |relevant |error )*(?:plan|errors?|logs?|output|traces?|stack ?traces?|code|context|files?|issues?|problems?|messages?|prompts?|tasks?|results?|diff|snippet|config|screenshot|details|information|background)(?: below| i got| i get| for you| so far)?$/,
  /^(?:the )?(?:following|plan|context|tasks?|goals?|background|overview|summary|instructions?|requirements?|errors?|logs?|output|prompts?|user (?:request|query|message|prompt)|requests?|questions?|problems?|issues?|descriptions?|notes?|inputs?|todos?|objectives?|roles?|introduction|details|title|message|code|files?|example|examples)$/,
  /^(?:реализуй|реализуйте|выполни|выполните|сделай|внедри|исполни|следуй) (?:следующий |этот |данный |такой )?(?:план|инструкции|задачу|задание)(?: ниже)?$/,
  /^(?:и |а )?(?:вот|есть|смотри|у меня) (?:мой |моя |мои |полный |такая |такой )?(?:план|ошибка|лог|логи|код|задача|контекст|вывод|файл|проблема|текст)(?: ниже)?$/,
  /^(?:план|контекст|задача|задание|цель|ошибка|ошибки|лог|логи|вывод|вопрос|проблема|описание|требования|инструкции|введение|код)$/,
  /^[请請]?(?:[实實][现現]|[执執]行|按照|完成)(?:以下|下面|[这這][个個]|上述)的?(?:[计計][划劃]|步[骤驟]|任[务務])$/u,
  /^(?:任[务務]|背景|上下文|[计計][划劃]|[错錯][误誤]|[问問][题題]|需求|日志|[输輸]出|描述)(?:如下)?$/u,
  /^(?:次|以下)の(?:計画|プラン|手順|タスク)を?(?:実装|実行)?(?:して)?(?:ください|下さい)?$/u,
  /^다음 (?:계획|작업|단계)을? ?(?:구현|실행|진행)?(?:해 ?줘|해 ?주세요|하세요)?$/u,
  /^(?:bitte )?(?:setze|führe|implementiere|befolge) (?:den|diesen|folgenden|die|diese) (?:folgenden )?(?:plan|schritte|anweisungen|aufgabe)(?: um| aus)?$/,
  /^(?:implémente|implémentez|exécute|exécutez|suis|suivez|applique) (?:le|ce|les) (?:plan|étapes|instructions)(?: suivante?s?)?$/,
  /^(?:implementa|ejecuta|sigue|aplica) (?:el|este|los|las) (?:siguientes? )?(?:plan|pasos|instrucciones)(?: siguientes?)?$/,
  /^(?:implemente|execute|siga|aplique) (?:o|este|os|as) (?:seguintes? )?(?:plano|passos|instruções)(?: seguintes?| a seguir)?$/,
  /^(?:implementa|esegui|segui) (?:il|questo|i|le) (?:seguenti? )?(?:piano|passi|istruzioni)(?: seguenti?)?$/,
  /^this session is being continued from a previous conversation/,
  /^caveat the messages below were generated by the user/,
  /^request interrupted by user/,
]

/** What such an opening is called when the subject follows on the same line: `Plan: add retries`. */
export const ANNOUNCED =
  /^(?:(?:please )?implement the following plan|plan|task|goal|title|план|задача|цель|任务|计划|aufgabe|tarea|tâche|tarefa)\s*[:：]\s*(?=\S)/iu

/** A greeting before the matter, and the comma behind it. */
export const GREETING =
  /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|привет|здравствуйте?|добрый день|hallo|guten tag|bonjour|salut|hola|olá|oi|ciao|你好|您好|こんにちは|안녕하세요)(?: there| all| everyone| team| claude| copilot| chatgpt| всем)?\s*[,!.…，！。、]+\s*(?=\S)/iu
