// `:mark` in a query is the mark only where SQL would take a value.
import { describe, expect, it } from 'vitest'
import { hasMark, putMark } from '../../../../infra/database/foreign/mark-parameter.ts'

describe('the mark of a query', () => {
  it('is put where a value stands, as often as it stands there', () => {
    expect(putMark('SELECT * FROM t WHERE id > :mark AND :mark<>0', '$1')).toBe(
      'SELECT * FROM t WHERE id > $1 AND $1<>0',
    )
    expect(putMark('WHERE at > :mark::timestamptz', '$1')).toBe('WHERE at > $1::timestamptz')
  })

  it.each([
    `SELECT ':mark'`,
    `SELECT 'it''s :mark'`,
    'SELECT ":mark"',
    'SELECT 1 -- :mark',
    'SELECT 1 /* :mark */',
    'SELECT $$ :mark $$',
    'SELECT $tag$ :mark $$ :mark $tag$',
    'SELECT 1::mark',
    'SELECT :marks',
    'SELECT :marké, :mark$a',
    String.raw`SELECT E'it\'s :mark'`,
    String.raw`SELECT e'\\\' :mark'`,
    String.raw`SELECT E'it''s \' :mark'`,
    String.raw`SELECT E'a' -- b'c
      'it\'s :mark'`,
    String.raw`SELECT U&'\0041 :mark', U&"\0041 :mark"`,
    `SELECT $é$ :mark $é$`,
    'SELECT 1 /* a /* b */ :mark */',
    `SELECT 1 /* it's /* ' */ :mark */`,
    `SELECT 1 -- it's\r, ':mark'`,
  ])('is none in %s', (query) => {
    expect(hasMark(query)).toBe(false)
    expect(putMark(query, '$1')).toBe(query)
  })

  it.each([
    [String.raw`WHERE a = '\' AND id > :mark`, String.raw`WHERE a = '\' AND id > $1`],
    [String.raw`WHERE a = E'\\' AND id > :mark`, String.raw`WHERE a = E'\\' AND id > $1`],
    // A name that ends with e is no begin of such a text.
    [String.raw`WHERE date'\' < :mark`, String.raw`WHERE date'\' < $1`],
    ['WHERE a$b$ < :mark AND c$b$ > 1', 'WHERE a$b$ < $1 AND c$b$ > 1'],
    ['WHERE é$b$ < :mark AND é$b$ > 1', 'WHERE é$b$ < $1 AND é$b$ > 1'],
    ['/* a /* b */ c */ :mark', '/* a /* b */ c */ $1'],
    ['/* ** / /*/ */ */ :mark', '/* ** / /*/ */ */ $1'],
    [`-- it's\n:mark`, `-- it's\n$1`],
  ])('is one in %s', (query, put) => {
    expect(putMark(query, '$1')).toBe(put)
  })

  it.each([`'`, `E'`, '"', '$$', '/*', `E'a'\n-- b\n`])(
    'is soon said of a long one with %o',
    (begin) => {
      const long = `SELECT ${begin}${`-- a\n 'b' /* $a$ `.repeat(3000)}`
      expect(putMark(long, '$1')).toBe(long)
    },
  )

  it('is one behind them', () => {
    expect(putMark(`SELECT ':mark', $$:mark$$ -- :mark\nWHERE a > :mark`, '$1')).toBe(
      `SELECT ':mark', $$:mark$$ -- :mark\nWHERE a > $1`,
    )
  })
})
