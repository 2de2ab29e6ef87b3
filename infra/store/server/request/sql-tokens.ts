// Cuts SQL text into tokens as ClickHouse's lexer does, so far as needed to find the ends of
// strings, comments and clauses.

export type SqlToken = {
  readonly kind: 'word' | 'number' | 'string' | 'quoted' | 'placeholder' | 'sign'
  readonly text: string
  readonly start: number
  readonly end: number
}

const PATTERNS: readonly (readonly [SqlToken['kind'] | 'space', RegExp])[] = [
  ['space', /(?:\s|--[^\n]*|\/\*[\s\S]*?\*\/|#[ !][^\n]*)+/y],
  // Unrolled: a literal may hold megabytes.
  ['string', /'[^'\\]*(?:(?:\\[\s\S]|'')[^'\\]*)*'/y],
  ['string', /\$(\w*)\$[\s\S]*?\$\1\$/y],
  ['quoted', /`[^`\\]*(?:(?:\\[\s\S]|``)[^`\\]*)*`/y],
  ['quoted', /"[^"\\]*(?:(?:\\[\s\S]|"")[^"\\]*)*"/y],
  ['placeholder', /\{\s*[A-Za-z_]\w*\s*:[^{}]+\}/y],
  ['word', /[A-Za-z_][\w$]*/y],
  ['number', /[0-9][\w.]*/y],
  ['sign', /[\s\S]/y],
]

/** Every token in order; an unclosed string or comment ends as single signs, which the engine then
 *  refuses. */
export function tokenizeSql(sql: string): SqlToken[] {
  const tokens: SqlToken[] = []
  let start = 0
  while (start < sql.length) {
    for (const [kind, pattern] of PATTERNS) {
      pattern.lastIndex = start
      const text = pattern.exec(sql)?.[0]
      if (text === undefined) continue
      const end = start + text.length
      if (kind !== 'space') tokens.push({ kind, text, start, end })
      start = end
      break
    }
  }
  return tokens
}

/** A string literal that the engine reads as exactly this text. */
export function sqlString(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0')}'`
}

/** The text of a literal that `sqlString` made. */
export function textOfSqlString(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(/\\([\s\S])/g, (_, sign: string) => (sign === '0' ? '\0' : sign))
}

export function sqlIdentifier(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
}
