// What a request asks the engine for, and its text as we run it: settings always stand in the
// statement (`SET` would leak to the next query).
import { EngineError } from '../engine-error.ts'
import { type SqlToken, sqlString, tokenizeSql } from './sql-tokens.ts'

export type Settings = ReadonlyMap<string, string | number>

export type Statement =
  /** Streams its rows. */
  | {
      readonly kind: 'select'
      readonly text: string
      readonly format: string
      readonly own: string
    }
  /** `INSERT INTO t (…) FORMAT Native`: the rows are the request's body. */
  | {
      readonly kind: 'data'
      readonly table: string
      readonly columns: string
      readonly own: string
    }
  /** An insert whose rows stand in the statement or come from a SELECT (then it is a search, too);
   *  settings go to `at`. */
  | {
      readonly kind: 'insert'
      readonly table: string
      readonly text: string
      readonly at: number
      readonly isSelect: boolean
    }
  | { readonly kind: 'kill'; readonly text: string; readonly format: string; readonly own: string }
  | {
      readonly kind: 'command'
      readonly text: string
      readonly format: string
      readonly own: string
    }

/** Of zstd. */
const PACKING_LEVEL = 3
const DEFAULT_FORMAT = 'TabSeparated'
const SELECTS = ['SELECT', 'WITH', '(', 'VALUES']
const COMMANDS =
  'SHOW DESCRIBE DESC EXISTS EXPLAIN CHECK CREATE ALTER DROP TRUNCATE RENAME EXCHANGE OPTIMIZE DETACH ATTACH UNDROP'.split(
    ' ',
  )

/** `text` has its parameters bound. Fails with 62 for two statements in one, 48 for statements that
 *  would leak or that nobody sends. */
export function parseStatement(text: string): Statement {
  const tokens = tokenizeSql(text)
  while (tokens.at(-1)?.text === ';') tokens.pop()
  if (tokens.some((token) => token.text === ';'))
    throw new EngineError(62, 'Syntax error: multi-statements are not allowed', 'SYNTAX_ERROR')
  const first = tokens[0]?.text.toUpperCase() ?? ''
  if (first === 'INSERT') return parseInsert(text, tokens)
  const { body, format, own } = cutFormat(text, tokens)
  if (SELECTS.includes(first)) {
    if (tokens.some((token, i) => is(token, 'INTO') && is(tokens[i + 1], 'OUTFILE')))
      throw new EngineError(48, 'INTO OUTFILE is not allowed', 'NOT_IMPLEMENTED')
    return { kind: 'select', text: body, format, own }
  }
  if (first === 'KILL') {
    // It may never come back, and would hold the session that all kills need.
    if (tokens.some((token) => is(token, 'SYNC')))
      throw new EngineError(48, 'KILL QUERY … SYNC is not supported', 'NOT_IMPLEMENTED')
    return { kind: 'kill', text: body, format, own }
  }
  if (COMMANDS.includes(first)) return { kind: 'command', text: body, format, own }
  throw new EngineError(48, `Statement ${first} is not supported here`, 'NOT_IMPLEMENTED')
}

/** The end of `… FORMAT Native` when the text is an insert of data, so that rows may follow it in
 *  the same body; else -1. */
export function endOfDataInsert(text: string): number {
  const head = /^\s*INSERT\s[^']*?\sFORMAT\s+\w+[ \t]*(?:\r?\n|;|$)/i.exec(text)?.[0]
  if (head === undefined || /\bSELECT\b|\bVALUES\b/i.test(head)) return -1
  return head.length
}

/** The whole statement for the engine. `toFile`: where its rows go. */
export function composeStatement(
  statement: Exclude<Statement, { kind: 'data' }>,
  settings: Settings,
  toFile?: string,
  isPacked = false,
): string {
  const list = settingsList(settings)
  if (statement.kind === 'insert') {
    const { text, at } = statement
    return `${text.slice(0, at)} SETTINGS ${list} ${text.slice(at)}`
  }
  // It is a pipe: both only keep the engine from refusing a file that is there.
  const way = isPacked ? `TRUNCATE COMPRESSION 'zstd' LEVEL ${PACKING_LEVEL}` : 'APPEND'
  const outfile = toFile === undefined ? '' : `\nINTO OUTFILE ${sqlString(toFile)} ${way}`
  const own = statement.own === '' ? '' : `, ${statement.own}`
  return `${statement.text}${outfile}\nFORMAT ${statement.format} SETTINGS ${list}${own}`
}

export function composeDataInsert(
  statement: Extract<Statement, { kind: 'data' }>,
  settings: Settings,
  fromFile: string,
  isPacked: boolean,
): string {
  const packing = isPacked ? " COMPRESSION 'zstd'" : ''
  const own = statement.own === '' ? '' : `, ${statement.own}`
  return `INSERT INTO ${statement.table} ${statement.columns} FROM INFILE ${sqlString(fromFile)}${packing} SETTINGS ${settingsList(settings)}${own} FORMAT Native`
}

function settingsList(settings: Settings): string {
  return [...settings]
    .map(([name, value]) => `${name} = ${typeof value === 'number' ? value : sqlString(value)}`)
    .join(', ')
}

function is(token: SqlToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toUpperCase() === word
}

/** Splits off `FORMAT X [SETTINGS …]`, which ends the statement. */
function cutFormat(
  text: string,
  tokens: readonly SqlToken[],
): { body: string; format: string; own: string } {
  const at = tokens.findLastIndex((token) => is(token, 'FORMAT'))
  const format = tokens[at]
  const name = tokens[at + 1]
  const next = tokens[at + 2]
  const end = tokens.at(-1)?.end ?? text.length
  if (format === undefined || name?.kind !== 'word' || (next && !is(next, 'SETTINGS')))
    return { body: text.slice(0, end), format: DEFAULT_FORMAT, own: '' }
  return {
    body: text.slice(0, format.start),
    format: name.text,
    own: next === undefined ? '' : text.slice(next.end, end),
  }
}

function parseInsert(text: string, tokens: readonly SqlToken[]): Statement {
  let i = is(tokens[2], 'TABLE') ? 3 : 2
  const from = tokens[i]
  if (!is(tokens[1], 'INTO') || from === undefined || is(from, 'FUNCTION'))
    throw new EngineError(62, 'Syntax error: INSERT INTO <table> expected', 'SYNTAX_ERROR')
  while (tokens[i + 1]?.text === '.') i += 2
  const table = text.slice(from.start, tokens[i]?.end)
  let at = tokens[i]?.end ?? text.length
  let columns = ''
  if (tokens[i + 1]?.text === '(' && !is(tokens[i + 2], 'SELECT') && !is(tokens[i + 2], 'WITH')) {
    const close = tokens.findIndex((token, j) => j > i && token.text === ')')
    if (close === -1)
      throw new EngineError(62, 'Syntax error: unclosed column list', 'SYNTAX_ERROR')
    at = tokens[close]?.end ?? at
    columns = text.slice(tokens[i + 1]?.start, at)
    i = close
  }
  const last = tokens.length - 1
  const isData =
    is(tokens[last - 1], 'FORMAT') && !tokens.some((t) => is(t, 'SELECT') || is(t, 'VALUES'))
  const isSelect = tokens.some((token) => is(token, 'SELECT'))
  if (!isData) return { kind: 'insert', table, text, at, isSelect }
  if (!is(tokens[last], 'NATIVE'))
    throw new EngineError(48, 'Rows are accepted in format Native only', 'NOT_IMPLEMENTED')
  const own = is(tokens[i + 1], 'SETTINGS')
    ? text.slice(tokens[i + 1]?.end, tokens[last - 1]?.start)
    : ''
  return { kind: 'data', table, columns, own }
}
