// `:mark` in a query, outside of texts, names and comments, as PostgreSQL reads them.

/** A text that begins with E has escapes, in its further lines as well. */
const ESCAPED = String.raw`'(?:[^'\\]|\\[\s\S]|'')*'`
const NEXT_LINE = String.raw`[^\S\n\r]*(?:--[^\n\r]*)?[\n\r](?:\s|--[^\n\r]*[\n\r])*`
const LETTER = String.raw`[A-Za-z_\u0080-\uffff]`
const IN_NAME = String.raw`[\w$\u0080-\uffff]`
const TAG = String.raw`(?:${LETTER}[\w\u0080-\uffff]*)?`

const PIECES = [
  `[eE]${ESCAPED}(?:${NEXT_LINE}${ESCAPED})*`,
  // Whole, since $ in it begins no text.
  `${LETTER}${IN_NAME}*`,
  `'[^']*'|"[^"]*"`,
  String.raw`\$(${TAG})\$[\s\S]*?\$\1\$`,
  String.raw`--[^\n\r]*|/\*`,
  `::|:mark(?!${IN_NAME})`,
].join('|')

/** With `parameter` in its place. */
export function putMark(query: string, parameter: string): string {
  const pieces = new RegExp(PIECES, 'g')
  let text = ''
  let from = 0
  for (let found = pieces.exec(query); found !== null; found = pieces.exec(query)) {
    const [piece] = found
    if (piece === '/*') pieces.lastIndex = endOfComment(query, found.index)
    if (piece !== ':mark') continue
    text += query.slice(from, found.index) + parameter
    from = pieces.lastIndex
  }
  return text + query.slice(from)
}

export function hasMark(query: string): boolean {
  return putMark(query, '\0').includes('\0')
}

/** Comments lie in each other. */
function endOfComment(query: string, begin: number): number {
  const ends = /\/\*|\*\//g
  ends.lastIndex = begin
  let depth = 0
  for (let found = ends.exec(query); found !== null; found = ends.exec(query)) {
    depth += found[0] === '/*' ? 1 : -1
    if (depth === 0) return ends.lastIndex
  }
  return query.length
}
