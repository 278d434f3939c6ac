/** The languages of the lexicon: their names in catalogues, in Debian's descriptions, and in FreeDict. */
export interface Language {
  code: string
  catalogues: string[]
  descriptions: string[]
  dictionary?: string
  /** Package names of LibreOffice's own catalogues and help. */
  office: string[]
}

export const LANGUAGES: Language[] = [
  language('ru', ['ru', 'ru_RU'], ['ru'], 'rus', ['ru']),
  language('zh', ['zh_CN', 'zh_Hans'], ['zh_CN', 'zh'], undefined, ['zh-cn']),
  language('de', ['de', 'de_DE'], ['de'], 'deu', ['de']),
  language('es', ['es', 'es_ES'], ['es'], 'spa', ['es']),
  language('fr', ['fr', 'fr_FR'], ['fr'], 'fra', ['fr']),
  language('it', ['it', 'it_IT'], ['it'], 'ita', ['it']),
  language('pt', ['pt_BR', 'pt', 'pt_PT'], ['pt_BR', 'pt'], 'por', ['pt-br']),
  language('pl', ['pl', 'pl_PL'], ['pl'], 'pol', ['pl']),
  language('uk', ['uk', 'uk_UA'], ['uk'], undefined, ['uk']),
  language('ja', ['ja', 'ja_JP'], ['ja'], 'jpn', ['ja']),
  language('ko', ['ko', 'ko_KR'], ['ko'], undefined, ['ko']),
]

function language(
  code: string,
  catalogues: string[],
  descriptions: string[],
  dictionary: string | undefined,
  office: string[],
): Language {
  return { code, catalogues, descriptions, dictionary, office }
}
