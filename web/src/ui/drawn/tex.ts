/** What marks inline code as a formula; nobody writes it. */
export const TEX = '\ue0f0'

/**
 * Formulas in Markdown, as `$…$`, `$$…$$`, `\(…\)` or `\[…\]`, made into code that says so, because Markdown would read
 * their signs as its own. Code stays as it is, and so do prices.
 */
export function withFormulas(text: string): string {
  if (!/\$|\\[([]/.test(text)) return text
  return text
    .split(CODE)
    .map((part, at) => (at % 2 === 1 ? part : formulasIn(part)))
    .join('')
}

/** Fences and inline code, which are left alone. */
const CODE = /(^(?:```|~~~)[\s\S]*?(?:^(?:```|~~~)\s*$|(?![\s\S]))|(?<!`)`+[^`\n]+`+)/gm

/** None is so long that each sign without its end has to be followed to the end of the text. */
function formulasIn(text: string): string {
  return text
    .replace(/\$\$([^$]+?)\$\$|\\\[([\s\S]{1,4000}?)\\\]/g, (whole, dollars?: string, brackets?: string) =>
      displayed((dollars ?? brackets ?? '').trim(), whole),
    )
    .replace(/\\\(([^\n]{1,1000}?)\\\)/g, (_, tex: string) => inline(tex.trim()))
    .replace(/(?<![\\\w$])\$(?=[^\s$])([^$\n`]*[^\s$\\`])\$(?![\d\w$])/g, (whole, tex: string) =>
      isPrice(tex) ? whole : inline(tex),
    )
}

function displayed(tex: string, whole: string): string {
  return tex === '' || tex.includes('```') ? whole : `\n\n\`\`\`math\n${tex}\n\`\`\`\n\n`
}

function inline(tex: string): string {
  return tex.includes('`') ? tex : `\`${TEX}${tex}\``
}

/** `$5 to $10`, `$HOME and $PATH`: words between two signs of money or variables. */
function isPrice(tex: string): boolean {
  return /^\d[\d.,]*(?:\s|[kKmM]?$)/.test(tex) ? !/[\\^_=+*/<>]/.test(tex) : /^[A-Z_]{2,}\b/.test(tex)
}
