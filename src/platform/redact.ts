/**
 * Takes secrets out of text on its way out: to a screen, an agent, a file. The archive itself
 * keeps what was said. Better one harmless string too many than one key too few.
 */
export function redact(text: string): string {
  let result = text
  for (const [name, pattern, replacement] of SECRETS) {
    if (pattern.test(result)) result = result.replace(pattern, replacement ?? `[redacted: ${name}]`)
    pattern.lastIndex = 0
  }
  return result
}

/** The same for every string in a JSON value. */
export function redactJson<T>(value: T): T {
  if (typeof value === 'string') return redact(value) as T
  if (Array.isArray(value)) return value.map(redactJson) as T
  if (value && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, redactJson(each)])) as T
  }
  return value
}

const SECRETS: [name: string, pattern: RegExp, replacement?: string][] = [
  ['private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g],
  ['AWS key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ['GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/g],
  ['GitLab token', /\bglpat-[A-Za-z0-9_-]{16,}/g],
  ['API key', /\b(?:sk|rk|pk)-(?:ant-|proj-|live-|test-)?[A-Za-z0-9_-]{20,}/g],
  ['Stripe key', /\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}/g],
  ['Google key', /\bAIza[A-Za-z0-9_-]{30,}/g],
  ['Slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g],
  ['npm token', /\bnpm_[A-Za-z0-9]{30,}/g],
  ['Hugging Face token', /\bhf_[A-Za-z0-9]{30,}/g],
  ['JSON web token', /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+/g],
  ['authorization', /\b(bearer|basic)\s+[A-Za-z0-9+/=._~-]{20,}/gi, '$1 [redacted: authorization]'],
  ['password in URL', /(:\/\/[^\s/:@]{1,64}:)[^\s/@]{3,}@/g, '$1[redacted: password]@'],
  [
    'secret',
    /\b([A-Za-z0-9_-]*(?:password|passwd|secret|api[_-]?key|access[_-]?token|auth[_-]?token|private[_-]?key)["']?\s*[:=]\s*["']?)(?![$<{[*])[^\s"'`,;<>(){}[\]]{8,}/gi,
    '$1[redacted: secret]',
  ],
]
