/** Languages of the lexicon that are written in Latin letters. */
export const LATIN = ['de', 'es', 'fr', 'it', 'pt', 'pl']

/** Words that say nothing, folded as the index has them; English, Russian and Chinese have theirs in the model. */
export const STOP_WORDS: Record<string, Set<string>> = {
  de: words(`aber alle als am an auch auf aus bei beim bin bis das dass dem den der des die dies diese diesem
diesen dieser doch durch ein eine einem einen einer eines er es fur haben hat hier hatte ich ihr im in ist ja kann
kein keine konnen man mehr mein mich mir mit muss nach nicht noch nur ob oder ohne sein sich sie sind so uber um
und uns unter vom von vor war warum was weil wenn wer werden wie wieder wird wir wo wurde wurden zu zum zur`),
  es: words(`al algo ante antes como con cual cuando de del desde donde dos el ella ellos en entre era es esa ese
eso esta estan este esto fue ha hace hacia han hasta hay la las le les lo los mas me mi mientras muy nos o para
pero por porque que quien se ser si sin sobre son su sus tambien te tiene todo un una unas uno unos y ya`),
  fr: words(`a afin ai au aussi aux avec avoir ce ces cet cette comme comment d dans de des donc dont du elle en
entre est et etait ete etre fait il ils j je l la le les leur leurs lors lorsque mais me meme mes n ne nous on ou
par pas plus pour pourquoi qu quand que quel quelle qui s sa sans se ses si son sont sur un une vers vous`),
  it: words(`a ad al alla alle anche c che chi ci come con cosa da dal dalla de degli dei del della delle di dopo
dove e ed era fra gli ha hanno i il in io l la le lo loro ma mentre mi nel nella nelle no noi non nei o per perche
piu quale quando quello questa questo se sei senza si sia sono su sua sui sul sulla suo tra un una uno`),
  pt: words(`a ao aos as ate com como da das de dela dele do dos e ela ele em entre era essa esse esta este eu foi
ha isso isto ja la mais mas me meu muito na nao nas nem no nos nossa nosso o onde os ou para pela pelo por porque
qual quando que quem se sem ser seu sua tambem te tem um uma uns voce`),
  pl: words(`a aby ale albo bez bo by byc byl byla co czy dla do gdy gdzie i ich ile ja jak jako jego jej jest
juz kiedy ktora ktore ktory lub ma mi mnie moze na nad nie niz o od oraz po pod poniewaz przed przez przy sa sie
ta tak tam te tego tej ten to tu tylko tym u w we wiec z za ze`),
}

/** A few very common words: an archive that has most of them holds the language. */
export const TELLING: Record<string, string[]> = {
  ru: ['не', 'на', 'что', 'для', 'как'],
  uk: ['що', 'від', 'або', 'це', 'є'],
  zh: ['的', '是', '在', '不'],
  ja: ['の', 'は', 'を', 'に'],
  ko: ['이', '다', '는', '을'],
  de: ['und', 'nicht', 'ist', 'das', 'für', 'eine'],
  es: ['los', 'una', 'para', 'por', 'como', 'las'],
  fr: ['les', 'est', 'pour', 'dans', 'une', 'pas'],
  it: ['che', 'per', 'sono', 'una', 'della', 'con'],
  pt: ['não', 'uma', 'para', 'com', 'dos', 'são'],
  pl: ['nie', 'jest', 'się', 'oraz', 'przez', 'dla'],
}

function words(list: string): Set<string> {
  return new Set(list.split(/\s+/))
}
