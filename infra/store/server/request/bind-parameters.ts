// Puts `param_*` values into the text as literals of the placeholder's type, as a ClickHouse server
// does with its tree. The engine's own binding is one process-wide chain: queries would wait for
// each other, and streamed ones would clobber each other.
import { EngineError } from '../engine-error.ts'
import { type SqlToken, sqlIdentifier, sqlString } from './sql-tokens.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '\0',
  a: '\x07',
  v: '\v',
  e: '\x1b',
}

/** Fails with 456 for a value that is missing, 457 for one that cannot be of its type. */
export function bindParameters(
  sql: string,
  tokens: readonly SqlToken[],
  params: ReadonlyMap<string, string>,
): string {
  const parts: string[] = []
  let done = 0
  for (const token of tokens) {
    if (token.kind !== 'placeholder') continue
    const { name, type } = parsePlaceholder(token)
    const value = params.get(name)
    if (value === undefined)
      throw new EngineError(456, `Substitution \`${name}\` is not set`, 'UNKNOWN_QUERY_PARAMETER')
    parts.push(sql.slice(done, token.start), literalOf(name, type, value))
    done = token.end
  }
  parts.push(sql.slice(done))
  return parts.join('')
}

export function parsePlaceholder(token: SqlToken): { name: string; type: string } {
  const colon = token.text.indexOf(':')
  return { name: token.text.slice(1, colon).trim(), type: token.text.slice(colon + 1, -1).trim() }
}

function literalOf(name: string, type: string, value: string): string {
  const inner = /^(?:Nullable|LowCardinality)\((.*)\)$/s.exec(type)?.[1]
  if (inner !== undefined)
    return value === '\\N'
      ? `_CAST(NULL, ${sqlString(type)})`
      : literalOf(name, inner.trim(), value)
  if (type === 'Identifier') return sqlIdentifier(undoEscapes(name, value))
  if (type === 'String') return sqlString(undoEscapes(name, value))
  // The text of an array is not escaped a second time: its strings are quoted.
  if (type.startsWith('Array(')) return `_CAST(${sqlString(value)}, ${sqlString(type)})`
  if (/^(?:Map|Tuple|Nested|JSON|Variant|Dynamic|Object)\b/.test(type))
    throw new EngineError(48, `Parameters of type ${type} are not supported`, 'NOT_IMPLEMENTED')
  return `_CAST(${sqlString(undoEscapes(name, value))}, ${sqlString(type)})`
}

/** Undoes the escaping of the tab-separated form in which parameters travel. */
function undoEscapes(name: string, value: string): string {
  if (/[\t\n]/.test(value) || /(?:^|[^\\])(?:\\\\)*\\$/.test(value))
    throw new EngineError(
      457,
      `Value of parameter ${name} is not completely parsed`,
      'BAD_QUERY_PARAMETER',
    )
  return value.replace(/\\([\s\S])/g, (_, escaped: string) => ESCAPES[escaped] ?? escaped)
}
