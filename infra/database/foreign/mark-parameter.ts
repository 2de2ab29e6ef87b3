// `:mark` in a query, outside of texts, names and comments.

const PIECES =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|::|:mark\b/g

/** With `parameter` in its place. */
export function putMark(query: string, parameter: string): string {
  return query.replace(PIECES, (piece) => (piece === ':mark' ? parameter : piece))
}

export function hasMark(query: string): boolean {
  return putMark(query, '\0').includes('\0')
}
