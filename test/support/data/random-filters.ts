// Random filters over the hostile events, as text.
import fc from 'fast-check'
import { WORDS } from './hostile-events.ts'

/** Filters of words, tests and scopes, nested. */
export function filterTexts(): fc.Arbitrary<string> {
  const words = WORDS.map(escapeWord)
  const fragment = fc
    .tuple(fc.constantFrom(...WORDS), fc.nat(6), fc.nat(6))
    .map(([word, from, length]) => [...word].slice(from, from + length + 1).join(''))
  const wild = fc
    .tuple(fragment, fc.constantFrom('*', '?'), fragment)
    .map(([a, star, b]) => `${escapeWord(a)}${star}${escapeWord(b)}`)
  const phrase = fc
    .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 })
    .map((list) => `"${list.join(' ').replace(/["\\]/g, '\\$&')}"`)
  const column = fc.constantFrom(
    ...['Status', 'STATUS', 'Method', 'Level', 'Client IP', 'trace', 'Flag', 'column.host', 'host'],
    ...['log', 'folder', 'apptags', 'message', 'size', 'dur (ms)', 'unknown'],
  )
  const value = fc.constantFrom(
    ...[
      '404',
      '1.1',
      '-0.5',
      '1e3',
      '5',
      '.5',
      'get',
      'warn',
      'ERROR',
      '10.2.3.4',
      '::1',
      '"a b"',
      'g*',
      '??',
    ],
    ...['"größe"', 'ΟΔΟΣ', 'true', 'web-01', '1e400', '"x\ny"', 'access', '0'],
  )
  const operator = fc.constantFrom(
    '=',
    '!=',
    '<',
    '<=',
    '>',
    '>=',
    'contains',
    'not contains',
    'starts with',
    'ends with',
  )
  const test = fc.oneof(
    fc.tuple(column, operator, value).map((parts) => parts.join(' ')),
    fc.tuple(column, fc.constantFrom('exists', 'not exists')).map((parts) => parts.join(' ')),
    fc.tuple(column, value, value).map(([name, a, b]) => `${name} between ${a} and ${b}`),
    fc
      .tuple(column, fc.constantFrom('in', 'not in'), value, value)
      .map(([name, not, a, b]) => `${name} ${not} (${a}, ${b})`),
  )
  const scope = fc.constantFrom(
    'log.access',
    'folder.Web',
    'app.Infra',
    'server.web-*',
    'file.*.log, log.ssh auth',
  )
  const leaf = fc.oneof(fc.constantFrom(...words), wild, phrase, test)
  return fc.letrec<{ filter: string }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc
        .tuple(tie('filter'), fc.constantFrom('and', 'or'), tie('filter'))
        .map(([a, word, b]) => `(${a}) ${word} (${b})`),
      tie('filter').map((inner) => `not (${inner})`),
      fc
        .tuple(tie('filter'), fc.constantFrom('in', 'not in'), scope)
        .map(([inner, word, where]) => `((${inner}) ${word} ${where})`),
    ),
  })).filter
}

/** A word that means the text, whatever stands in it. */
export function escapeWord(text: string): string {
  if (/^(and|or|not)$/i.test(text)) return `\\${text}`
  return text.replace(/[\s"\\(),|=<>*?!]/g, '\\$&')
}
