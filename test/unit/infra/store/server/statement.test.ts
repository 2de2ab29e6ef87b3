import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bindParameters } from '../../../../../infra/store/server/request/bind-parameters.ts'
import {
  sqlString,
  textOfSqlString,
  tokenizeSql,
} from '../../../../../infra/store/server/request/sql-tokens.ts'
import {
  composeDataInsert,
  composeStatement,
  endOfDataInsert,
  parseStatement,
} from '../../../../../infra/store/server/request/statement.ts'

const bind = (sql: string, params: Record<string, string>) =>
  bindParameters(sql, tokenizeSql(sql), new Map(Object.entries(params)))
const codeOf = (run: () => unknown): unknown => {
  try {
    run()
    return 'none'
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}
const compose = (sql: string, toFile?: string) => {
  const statement = parseStatement(sql)
  if (statement.kind === 'data')
    return composeDataInsert(statement, new Map([['a', 1]]), '/x', false)
  return composeStatement(statement, new Map([['a', 1]]), toFile)
}

describe('tokens of SQL', () => {
  it('a literal is one token whatever stands in it, and gives its text back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        const tokens = tokenizeSql(`${sqlString(a)}, ${sqlString(b)}`)
        expect(tokens.map((token) => token.kind)).toEqual(['string', 'sign', 'string'])
        expect(textOfSqlString(tokens[0]?.text ?? '')).toBe(a)
        expect(textOfSqlString(tokens[2]?.text ?? '')).toBe(b)
      }),
    )
  })

  it('cover the text in order, with nothing but space and comments between them', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(
            "'",
            '\\',
            '`',
            '"',
            '$',
            '-',
            '/',
            '*',
            '{',
            ':',
            '}',
            'a',
            '1',
            ' ',
            '\n',
            ';',
          ),
        }),
        (sql) => {
          let end = 0
          for (const token of tokenizeSql(sql)) {
            expect(token.start).toBeGreaterThanOrEqual(end)
            expect(sql.slice(token.start, token.end)).toBe(token.text)
            end = token.end
          }
        },
      ),
    )
  })

  it('a long literal is read', () => {
    expect(tokenizeSql(`SELECT ${sqlString("'\\".repeat(200_000))}`).length).toBe(2)
  })
})

describe('parameters', () => {
  it('only placeholders outside of strings, names and comments are replaced', () => {
    const sql =
      "SELECT '{a:String}', `{a:String}`, {'a':1} /* {a:String} */, {a:String} -- {a:String}"
    expect(bind(sql, { a: 'x' })).toBe(
      "SELECT '{a:String}', `{a:String}`, {'a':1} /* {a:String} */, 'x' -- {a:String}",
    )
  })

  it('a value is not looked into for placeholders', () => {
    expect(bind('{a:String}{b:String}', { a: '{b:String}', b: 'x' })).toBe("'{b:String}''x'")
  })

  it.each([
    ['{a:String}', "it\\'s \\\\ \\n", "'it\\'s \\\\ \n'"],
    ['{a:UInt64}', '7', "_CAST('7', 'UInt64')"],
    ['{ a : Nullable(String) }', '\\N', "_CAST(NULL, 'Nullable(String)')"],
    ['{a:Nullable(String)}', 'x', "'x'"],
    ['{a:LowCardinality(Nullable(UInt8))}', '3', "_CAST('3', 'UInt8')"],
    ["{a:DateTime64(9, 'UTC')}", '1', "_CAST('1', 'DateTime64(9, \\'UTC\\')')"],
    ['{a:Array(String)}', "['a\\'b']", "_CAST('[\\'a\\\\\\'b\\']', 'Array(String)')"],
    ['{a:Identifier}', 'a`b', '`a\\`b`'],
  ])('%s of %j is the literal %s', (sql, value, literal) => {
    expect(bind(sql, { a: value })).toBe(literal)
  })

  it.each([
    ['{a:String}', {}, 456],
    ['{a:String}', { a: 'x\\' }, 457],
    ['{a:String}', { a: 'x\ny' }, 457],
    ['{a:Map(String, String)}', { a: '{}' }, 48],
  ])('%s with %j is refused with %i', (sql, params, code) => {
    expect(codeOf(() => bind(sql, params as Record<string, string>))).toBe(code)
  })
})

describe('statements', () => {
  it.each([
    ['SELECT 1', 'SELECT 1\nFORMAT TabSeparated SETTINGS a = 1'],
    ['SELECT 1 FORMAT JSON;', 'SELECT 1 \nFORMAT JSON SETTINGS a = 1'],
    ['(SELECT 1) -- x', '(SELECT 1)\nFORMAT TabSeparated SETTINGS a = 1'],
    ['SELECT 1 FORMAT JSON SETTINGS b = 2', 'SELECT 1 \nFORMAT JSON SETTINGS a = 1,  b = 2'],
    [
      "SELECT format('{}', 'FORMAT x')",
      "SELECT format('{}', 'FORMAT x')\nFORMAT TabSeparated SETTINGS a = 1",
    ],
    ['KILL QUERY WHERE 1 ASYNC', 'KILL QUERY WHERE 1 ASYNC\nFORMAT TabSeparated SETTINGS a = 1'],
    ['DROP TABLE t', 'DROP TABLE t\nFORMAT TabSeparated SETTINGS a = 1'],
    ['INSERT INTO t VALUES (1)', 'INSERT INTO t SETTINGS a = 1  VALUES (1)'],
    [
      'INSERT INTO d.t (a, `b)`) SELECT 1, 2',
      'INSERT INTO d.t (a, `b)`) SETTINGS a = 1  SELECT 1, 2',
    ],
    [
      'INSERT INTO t (a) FORMAT Native',
      "INSERT INTO t (a) FROM INFILE '/x' SETTINGS a = 1 FORMAT Native",
    ],
    [
      'INSERT INTO t SETTINGS b = 2 FORMAT Native',
      "INSERT INTO t  FROM INFILE '/x' SETTINGS a = 1,  b = 2  FORMAT Native",
    ],
  ])('%s runs as %s', (sql, composed) => {
    expect(compose(sql)).toBe(composed)
  })

  it('rows go to the named file', () => {
    expect(compose('SELECT 1 FORMAT Native', "/it's")).toBe(
      "SELECT 1 \nINTO OUTFILE '/it\\'s' APPEND\nFORMAT Native SETTINGS a = 1",
    )
  })

  it.each([
    ['SELECT 1; SELECT 2', 62],
    ["SELECT ';' ; -- x\n DROP TABLE t", 62],
    ['SET a = 1', 48],
    ['USE d', 48],
    ['SYSTEM SHUTDOWN', 48],
    ['', 48],
    ["SELECT 1 INTO OUTFILE 'x'", 48],
    ['KILL QUERY WHERE 1 SYNC', 48],
    ["INSERT INTO FUNCTION file('x') SELECT 1", 62],
    ['INSERT INTO t FORMAT CSV', 48],
  ])('%s is refused with %i', (sql, code) => {
    expect(codeOf(() => parseStatement(sql))).toBe(code)
  })

  it('the rows of an insert begin behind its line', () => {
    expect(endOfDataInsert('INSERT INTO t (a, b) FORMAT Native \nrows')).toBe(36)
    expect(endOfDataInsert(' insert into t format Native')).toBe(28)
    expect(endOfDataInsert('INSERT INTO t SELECT 1 FORMAT Native\n')).toBe(-1)
    expect(endOfDataInsert('SELECT 1 FORMAT Native')).toBe(-1)
  })
})
