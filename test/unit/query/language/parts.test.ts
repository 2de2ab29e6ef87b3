// The small laws of the compiler: numbers, addresses, wildcards, expressions, scopes, near words.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkRegexp } from '../../../../query/language/compile/regexp/check-regexp.ts'
import { SqlParams } from '../../../../query/language/compile/sql-params.ts'
import {
  compareDouble,
  parseNumberBound,
} from '../../../../query/language/compile/tests/number-bound.ts'
import { formatAddress, parseAddress, parseBlock } from '../../../../query/language/ip-address.ts'
import { nearestWord } from '../../../../query/language/nearest-word.ts'
import { Input } from '../../../../query/language/parse/input.ts'
import { parseScopeList } from '../../../../query/language/parse/parse-scope.ts'
import { matchesWhole } from '../../../../query/language/resolve/glob.ts'
import { logsOfScope } from '../../../../query/language/resolve/select-logs.ts'
import type { CompareOperator, Pattern } from '../../../../query/language/tree.ts'
import { compareDecimals } from '../../../../schemas/decimal.ts'
import { SAMPLE_LOGS } from '../../../support/data/sample-logs.ts'

describe('a number of a query', () => {
  const operators = ['=', '!=', '<', '<=', '>', '>='] as const
  const texts = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc
      .tuple(
        fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
        fc.bigInt({ min: 0n, max: 10n ** 12n }),
      )
      .map(([near, more]) =>
        String(near).includes('e')
          ? '0.1'
          : `${near}${String(near).includes('.') ? '' : '.'}${more}`,
      ),
    fc.constantFrom('0.10000000000000000001', '1e400', '-1e400', '9007199254740993', '0', '-0'),
  )

  it('is compared with doubles as by its exact value', () => {
    fc.assert(
      fc.property(
        texts,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constantFrom(...operators),
        (text, other, isNear, operator) => {
          const value = isNear ? Number(text) : other
          if (!Number.isFinite(value)) return
          const expected = isOrder(compareDecimals(String(value), text), operator)
          expect(evaluate(value, operator, text), `${value} ${operator} ${text}`).toBe(expected)
        },
      ),
    )
  })

  function evaluate(value: number, operator: CompareOperator, text: string): boolean {
    const params = new SqlParams()
    const bound = parseNumberBound(text)
    if (!bound) throw new Error('no number')
    const sql = compareDouble('x', operator, bound, params)
    if (sql === '0' || sql === '1') return sql === '1'
    const [, own, other] = /^x (\S+) \{p0:Float64\}$/.exec(sql) ? sql.split(' ') : []
    expect(other).toBe('{p0:Float64}')
    const given = Number(String(params.values().p0).replace('inf', 'Infinity'))
    return isOrder(value < given ? -1 : value > given ? 1 : 0, own ?? '')
  }

  function isOrder(order: number | null, operator: string): boolean {
    if (order === null) throw new Error('not ordered')
    if (operator === '=') return order === 0
    if (operator === '!=') return order !== 0
    if (order === 0) return operator.endsWith('=')
    return operator.startsWith(order < 0 ? '<' : '>')
  }
})

describe('an address', () => {
  it.each([
    ['10.2.3.4', '0:0:0:0:0:ffff:a02:304'],
    ['::1', '0:0:0:0:0:0:0:1'],
    ['fe80::FF:1', 'fe80:0:0:0:0:0:ff:1'],
    ['::ffff:1.2.3.4', '0:0:0:0:0:ffff:102:304'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
  ])('%s is read', (text, groups) => {
    const bits = parseAddress(text)
    expect(bits !== undefined && formatAddress(bits)).toBe(groups)
  })

  it.each([
    '',
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4',
    '1.2.3.4.5',
    '1::2::3',
    '12345::',
    ':::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '[::1]',
    'fe80::1%eth0',
    'a.b.c.d',
    '1.2.3.4:80',
  ])('%j is none', (text) => {
    expect(parseAddress(text)).toBeUndefined()
  })

  it('lies in a block by its first bits', () => {
    const block = parseBlock('10.2.3.4/8')
    expect(block && [formatAddress(block.low), formatAddress(block.high)]).toEqual([
      '0:0:0:0:0:ffff:a00:0',
      '0:0:0:0:0:ffff:aff:ffff',
    ])
    expect(parseBlock('::/0')?.high).toBe((1n << 128n) - 1n)
    for (const text of [
      '10.0.0.0/33',
      '10.0.0.0/',
      '::/129',
      '10.0.0.0/8/8',
      '10/8',
      'x/8',
      '10.0.0.0/-1',
    ]) {
      expect(parseBlock(text), text).toBeUndefined()
    }
  })
})

it('a wildcard pattern matches as its regular expression does', () => {
  const parts = fc.array(fc.constantFrom('a', 'b', '😀', '*', '?'), { maxLength: 8 })
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 8 })
  fc.assert(
    fc.property(parts, texts, (symbols, text) => {
      const pattern: Pattern = symbols.map((symbol) => {
        if (symbol === '*') return { kind: 'run' }
        return symbol === '?' ? { kind: 'one' } : { kind: 'text', text: symbol }
      })
      const source = symbols.join('').replaceAll('?', '.').replaceAll('*', '.*')
      expect(matchesWhole(pattern, text)).toBe(new RegExp(`^${source}$`, 'su').test(text))
    }),
  )
})

it('a hopeless wildcard pattern ends', { timeout: 30_000 }, () => {
  const pattern: Pattern = Array.from({ length: 2000 }, (_, index) =>
    index % 2 === 0 ? { kind: 'run' } : { kind: 'text', text: 'a' },
  )
  expect(matchesWhole([...pattern, { kind: 'text', text: 'b' }], 'a'.repeat(5000))).toBe(false)
})

describe('a regular expression', () => {
  it.each([
    ['a(', 'has ( without )'],
    ['a)', 'has ) without ('],
    ['[a', 'has [ without ]'],
    ['a\\', 'ends with a backslash'],
    ['*a', 'has nothing for * to repeat'],
    ['a|+', 'has nothing for + to repeat'],
    ['(?=a)', 'looks ahead or behind, which is not supported'],
    ['(?<!a)b', 'looks ahead or behind, which is not supported'],
    ['(a)\\1', 'has a back reference, which is not supported'],
  ])('%s is refused', (regexp, reason) => {
    expect(() => checkRegexp(regexp, 4, new SqlParams())).toThrow(
      `query error at 5: the regular expression ${reason}`,
    )
  })

  it.each([
    '',
    'a(b|c)*',
    '[]a]',
    '[^]a]',
    '[\\]]',
    '(?i)a',
    '(?:a)?',
    '(?P<n>a)',
    '(?<n>a)',
    '\\d+\\.',
    'a{2}',
    '[(*]',
    '^$|^a',
  ])('%j is taken', (regexp) => {
    expect(() => checkRegexp(regexp, 0, new SqlParams())).not.toThrow()
  })
})

describe('a scope list without in', () => {
  const select = (text: string) =>
    logsOfScope(parseScopeList(new Input(text)), SAMPLE_LOGS).map(({ name }) => name)

  it.each([
    ['apptag.Infra, folder.Web', ['access', 'ssh auth', 'fw01']],
    ['log.access', ['access']],
    ['log.Web->Edge->access', ['access']],
    ['log.Edge->access', []],
    ['log.ACCESS', []],
    ['folder.Web', ['access']],
    ['folder.Edge', ['access']],
    ['folder.Web->Edge', ['access']],
    ['folder.Web->*', ['access']],
    ['folder.edge', []],
    ['type.http?', ['access']],
    ['*', ['access', 'ssh auth', 'orders', 'fw01']],
  ])('%s', (text, names) => {
    expect(select(text)).toEqual(names)
  })

  it('refuses what is no scope', () => {
    expect(() => select('access')).toThrow('query error at 1: log., folder.')
    expect(() => select('log.a | count')).toThrow(
      'query error at 7: a comma or the end is expected',
    )
  })
})

it('the nearest word is within a third of its letters', () => {
  expect(nearestWord('cuont', ['count', 'sum'])).toBe('count')
  expect(nearestWord('lmit', ['list', 'limit'])).toBe('limit')
  expect(nearestWord('DISPLY', ['display'])).toBe('display')
  expect(nearestWord('frobnicate', ['count', 'sum'])).toBeUndefined()
})
