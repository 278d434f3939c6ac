/**
 * Words that say nothing about what a text is about. A query drops them unless it holds nothing
 * else; a message's length does not count them.
 */
export function isStopWord(word: string): boolean {
  return word.length <= LONGEST && STOP_WORDS.has(word)
}

const ENGLISH = `a about above after again against all am an and any are arent as at be because been before
being below between both but by can cant cannot could couldnt did didnt do does doesnt doing dont down during
each few for from further had hadnt has hasnt have havent having he her here hers herself him himself his how
i if in into is isnt it its itself just lets me more most my myself no nor not now of off on once only or other
our ours ourselves out over own same she should shouldnt so some such than that the their theirs them themselves
then there these they this those through to too under until up very was wasnt we were werent what when where
which while who whom why will with wont would wouldnt you your yours yourself yourselves im ive youre theyre thats whats theres didn doesn isn wasn weren hasn haven hadn
wouldn shouldn couldn s t d ll m re ve don won let ever`

const RUSSIAN = `и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне
было вот от меня еще нет о из ему теперь когда даже ну вдруг ли если уже или ни быть был него до вас нибудь
опять уж вам ведь там потом себя ничего ей может они тут где есть надо ней для мы тебя их чем была сам чтоб без
будто чего раз тоже себе под будет ж тогда кто этот того потому этого какой совсем ним здесь этом один почти мой
тем чтобы нее сейчас были куда зачем всех никогда можно при наконец два об другой хоть после над больше тот
через эти нас про всего них какая много разве три эту моя впрочем хорошо свою этой перед иногда лучше чуть том
нельзя такой им более всегда конечно всю между какие какого каких каким сколько каково это`

/** Single characters only: pairs of them carry meaning. */
const CHINESE = '的了是在我有和就不人都一个上也很到说要去你会着没看好自己这那吗呢吧啊什么哪谁几么它他她们'

const STOP_WORDS = new Set([...ENGLISH.split(/\s+/), ...RUSSIAN.split(/\s+/), ...CHINESE])
const LONGEST = Math.max(...[...STOP_WORDS].map((word) => word.length))
