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
  ])('is none in %s', (query) => {
    expect(hasMark(query)).toBe(false)
    expect(putMark(query, '$1')).toBe(query)
  })

  it('is one behind them', () => {
    expect(putMark(`SELECT ':mark', $$:mark$$ -- :mark\nWHERE a > :mark`, '$1')).toBe(
      `SELECT ':mark', $$:mark$$ -- :mark\nWHERE a > $1`,
    )
  })
})
