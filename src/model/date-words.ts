/** Names of months and weekdays, and words for times beside today, in the languages that people type. */

/** From January on; without accents, in lower case. Short forms only where they are hardly anything else. */
export const MONTHS: string[][] = [
  'january jan январь января январе январем januar enero janvier gennaio janeiro',
  'february feb февраль февраля феврале февралем februar febrero fevrier febbraio fevereiro',
  'march mar март марта марте мартом marz marzo mars marco',
  'april apr апрель апреля апреле апрелем abril avril aprile',
  'may май мая мае маем mai mayo maggio maio',
  'june jun июнь июня июне июнем juni junio juin giugno junho',
  'july jul июль июля июле июлем juli julio juillet luglio julho',
  'august aug август августа августе августом agosto aout',
  'september sep sept сентябрь сентября сентябре сентябрем septiembre septembre settembre setembro',
  'october oct октябрь октября октябре октябрем oktober octubre octobre ottobre outubro',
  'november nov ноябрь ноября ноябре ноябрем noviembre novembre novembro',
  'december dec декабрь декабря декабре декабрем dezember diciembre decembre dicembre dezembro',
].map((names) => names.split(' '))

/** From Sunday on, as `Date` counts. */
export const WEEKDAYS: string[][] = [
  'sunday воскресенье воскресенья воскресеньем sonntag domingo dimanche domenica',
  'monday понедельник понедельника понедельником montag lunes lundi lunedi',
  'tuesday вторник вторника вторником dienstag martes mardi martedi',
  'wednesday среда среду среды средой mittwoch miercoles mercredi mercoledi',
  'thursday четверг четверга четвергом donnerstag jueves jeudi giovedi',
  'friday пятница пятницу пятницы пятницей freitag viernes vendredi venerdi',
  'saturday суббота субботу субботы субботой samstag sonnabend sabado samedi sabato',
].map((names) => names.split(' '))

/** So many days, weeks … before now, each as one day, week … of the calendar. */
export const RELATIVE: { unit: Unit; back: number; words: RegExp }[] = [
  of('day', 0, "today|tonight|this morning|сегодня|heute|hoy|aujourd['’]?hui|oggi|hoje|今天|今日|오늘"),
  of('day', 1, 'yesterday|вчера|gestern|ayer|hier|ieri|ontem|昨天|昨日|어제'),
  of(
    'day',
    2,
    "(?:the )?day before yesterday|позавчера|vorgestern|anteayer|antes de ayer|avant[- ]hier|l['’]altro ieri|anteontem|前天|一昨日|그저께",
  ),
  of(
    'week',
    0,
    'this week|(?:на )?этой недел[еи]|эта неделя|diese[rn]? woche|esta semana|cette semaine|questa settimana|本周|这周|這週|这个?星期|这个?礼拜|今週|이번 ?주',
  ),
  of(
    'week',
    1,
    '(?:the )?(?:last|previous|past) week|(?:на )?прошлой недел[еи]|прошлая неделя|прошлую неделю|(?:letzte|vorige|vergangene)[rn]? woche|(?:la )?semana pasada|(?:la )?semaine (?:derniere|passee)|(?:la )?(?:settimana scorsa|scorsa settimana)|(?:na )?semana passada|上周|上週|上个?星期|上个?礼拜|先週|지난 ?주',
  ),
  of(
    'month',
    0,
    'this month|(?:в )?это(?:м месяце|го месяца)|diese[nm]? monat|este mes|ce mois(?:-ci)?|questo mese|este mes|本月|这个月|這個月|今月|이번 ?달',
  ),
  of(
    'month',
    1,
    '(?:the )?(?:last|previous|past) month|(?:в )?прошло(?:м месяце|го месяца)|прошлый месяц|(?:letzte|vorige|vergangene)[nm] monat|(?:el )?mes pasado|(?:le )?mois (?:dernier|passe)|(?:il )?mese scorso|(?:no )?mes passado|上个月|上個月|上月|先月|지난 ?달',
  ),
  of(
    'year',
    0,
    "this year|(?:в )?это(?:м году|го года)|diese[sm] jahr(?:es)?|este ano|cette annee|quest['’]anno|今年|올해",
  ),
  of(
    'year',
    1,
    "(?:the )?(?:last|previous|past) year|(?:в )?прошло(?:м году|го года)|(?:letzte|vorige|vergangene)[nms] jahr(?:es)?|(?:el )?ano pasado|l['’]annee (?:derniere|passee)|(?:l['’])?anno scorso|(?:no )?ano passado|去年|昨年|작년",
  ),
]

/** The weekend that is or was last; the group says that it is the one before, where it is weekend today. */
export const WEEKEND: RegExp = bounded(
  '(?:(?:over|on|at|during) the|(?:(?:over|on|at|during) (?:the )?)?(last|past|previous)) weekend|(?:am|ubers|(letztes|am letzten|vergangenes|am vergangenen)) wochenende|на (?:(прошлых|прошедших) )?выходных|(?:el )?fin de semana (pasado)|(?:le )?week-?end (dernier|passe)|(?:il |lo )?(?:fine settimana (scorso)|(scorso) fine settimana)|(?:o )?fim de semana (passado)|(上个?周末|先週末)',
)

/** This quarter or half, or the last: groups of this one, of halves (two), and of this one again. */
export const QUARTERS: RegExp = bounded(
  '(?:(?:the|el|le|il|no|в) )?(?:(?:(this|diese[sm]|это[мт]|este|ce|questo)|last|previous|past|(?:letzt|vorig|vergangen)e[nms]|прошл(?:ый|о[ем]|ого)) (?:quarter|quartals?|квартал[еа]?|trimestre|(half[- ]year|halbjahrs?|полугоди[еия]|semestre))|(?:trimestre|(semestre)) (?:pasado|dernier|scorso|passado)|(?:(本|这个?|今|이번 ?)|上个?|前|지난 ?)(?:季度|四半期|분기))',
)

export type Unit = 'day' | 'week' | 'month' | 'quarter' | 'half' | 'year'

/** What the words of a unit begin with. */
export const UNITS: [Unit | 'hour', RegExp][] = [
  ['hour', /^(?:h$|hours?$|час(?:а|ов)?$|stunden?$|horas?$|heures?$|ore$|个?小时|小時|時間)/],
  ['day', /^(?:days?|дн|день|tag|dias?|jours?|giorn|天|日)/],
  ['week', /^(?:weeks?|недел|woche|semanas?|semaines?|settiman|周|週|个?星期|礼拜)/],
  ['month', /^(?:months?|месяц|monat|mes|mois|mesi|个?月|ヶ月)/],
  ['quarter', /^(?:quarters?$|quartal|квартал|trimest|个?季度)/],
  ['half', /^(?:полугод|halbjahr|semest)/],
  ['year', /^(?:years?|лет|год|jahr|anos?|ans?|annees?|anni|年)/],
]

export const NUMBERS: Record<string, number> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  couple: 2,
  few: 3,
  пару: 2,
  два: 2,
  две: 2,
  три: 3,
  zwei: 2,
  drei: 3,
  ein: 1,
  einem: 1,
  einer: 1,
  dos: 2,
  tres: 3,
  un: 1,
  una: 1,
  une: 1,
  deux: 2,
  trois: 3,
  一: 1,
  两: 2,
  二: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
  十: 10,
  十一: 11,
  十二: 12,
}

function of(unit: Unit, back: number, words: string): { unit: Unit; back: number; words: RegExp } {
  return { unit, back, words: bounded(words) }
}

/**
 * As words of their own: letters of Latin and Cyrillic around it would make it another word. In lower case, as the texts are: an
 * expression for either case takes twice the time.
 */
export function bounded(pattern: string, notBefore = "_.'-"): RegExp {
  return new RegExp(`(?<![a-zа-я0-9${notBefore}])(?:${pattern})(?![a-zа-я0-9_'-])`, 'u')
}
