import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../../../query/language/parse/parse-query.ts'
import { printScopeName, printValue } from '../../../../query/language/print/print-words.ts'
import { makeCatalog } from '../../../../query/language/resolve/known-columns.ts'
import { suggest } from '../../../../query/language/suggest.ts'

const visibleLogs = [
  { id: 1, folder: ['Web', 'Edge'], name: 'access', appTags: ['Storefront'], typeWords: ['httpd'] },
  { id: 2, folder: ['Linux'], name: 'ssh auth', appTags: ['Infra'], typeWords: [] },
  { id: 3, folder: ['Linux'], name: 'sales and returns', appTags: [], typeWords: [] },
]
const column = (logId: number, name: string, position: number) =>
  ({ logId, name, kind: 'text', position }) as const
const columns = new Map([
  [1, [column(1, 'Bytes Sent', 0), column(1, 'Status', 1)]],
  [2, [column(2, 'Source IP', 0)]],
])

const at = (text: string) => {
  const found = suggest({ text, visibleLogs, columns }, text.length)
  return found.kind === 'names' ? found.names.map((name) => name.text) : found
}

describe('suggestions', () => {
  it.each([
    ['error in log.ss', ['ssh auth']],
    ['error in log.sal', ['"sales and returns"']],
    ['* in log.access, folder.W', ['Web', 'Web->Edge']],
    ['* not in app.', ['Infra', 'Storefront']],
    ['* in type.h', ['httpd']],
    ['* in f', ['file.', 'folder.']],
    ['* in l', ['last', 'log.']],
    ['error in last ', ['15 minutes', '1 hour', '24 hours', '7 days', '1 month']],
    ['error in last 1', ['15 minutes', '1 hour', '1 month']],
    ['(error in last 3 ', ['3 minutes', '3 hours', '3 days', '3 weeks', '3 months']],
    ['error in last 3 h', ['3 hours']],
    ['timestamp > ', ['now - 15m', 'now - 1h', 'now - 24h', 'now - 7d', '@d', '-1d@d']],
    ['error event.timestamp>=n', ['now - 15m', 'now - 1h', 'now - 24h', 'now - 7d']],
    ['timestamp > now - 1', ['now - 15m', 'now - 1h']],
    ['timestamp > "@', ['"@d"']],
    ['timestamp between -', ['-1d@d']],
    ['timestamp between now - 1h and @', ['@d']],
    ['my timestamp > now - 1h and e', []],
    ['* | di', ['display', 'distinct']],
    ['* | count | or', ['order']],
    ['error By', ['Bytes Sent']],
    ['(stat', ['Status']],
    ['a AND sou', ['source', 'Source IP']],
    ['nothing_begins_so', []],
  ])('%s: %j', (text, expected) => {
    expect(at(text)).toEqual(expected)
  })

  it.each([
    ['error Bytes Sent = 1', 'Bytes Sent', '"Bytes Sent" starts with "1"', 19],
    ['Status != ', 'Status', '*', 10],
    ['x "Source IP" starts with "10', 'Source IP', '"Source IP" starts with "10"', 26],
    ['unknown contains a', 'unknown', '"unknown" starts with "a"', 17],
    ['* in server.web-', 'host', '"host" starts with "web-"', 12],
  ])('%s: values', (text, name, filter, from) => {
    const found = at(text)
    expect(found).toMatchObject({ kind: 'values', column: name, filter, from })
    // The filter is a query of the language, whatever was written.
    expect(parseQuery(filter, makeCatalog(visibleLogs, columns)).stages).toEqual([])
  })

  it('are the first names in the order of letters, of however many', () => {
    const all = Array.from({ length: 5000 }, (_, i) => `Name ${String((i * 7919) % 5000)}`)
    const many = new Map([[1, all.map((name, i) => column(1, name, i))]])
    const found = suggest({ text: 'nam', visibleLogs, columns: many }, 3)
    const sorted = [...new Set(all)].map((name) => name.toLowerCase()).sort()
    expect(found).toMatchObject({ kind: 'names', from: 0 })
    expect('names' in found && found.names.map(({ text }) => text.toLowerCase())).toEqual(
      sorted.slice(0, 100),
    )
  })

  it('print values and names that read back as they are', () => {
    const catalog = makeCatalog(visibleLogs, columns)
    for (const value of ['a', 'a b', 'null', 'AND', '10.0.0.1', 'x|y', '"q"', 'a*b', 'ü-1']) {
      const { source } = parseQuery(`Status = ${printValue(value)}`, catalog)
      if (source.kind !== 'filterSource' || source.filter.kind !== 'test') throw new Error(value)
      expect(source.filter.check).toMatchObject({
        kind: 'compare',
        value: { pattern: [{ kind: 'text', text: value }] },
      })
    }
    for (const name of ['ssh auth', 'sales and returns', 'a,b', 'a*', 'not x']) {
      const { source } = parseQuery(`* in log.${printScopeName(name)}`, catalog)
      if (source.kind !== 'filterSource' || source.filter.kind !== 'scoped') throw new Error(name)
      expect(source.filter.scope.include).toMatchObject([{ name: [{ kind: 'text', text: name }] }])
    }
  })

  it('of times are times that a query takes', () => {
    const catalog = makeCatalog(visibleLogs, columns)
    for (const begun of ['* in last ', '* in last 3 ', 'timestamp > ', 'timestamp > "'])
      for (const text of [at(begun)].flat()) {
        const query = `${begun.replace(/"$|3 $/, '')}${text}`
        expect(parseQuery(query, catalog).source).toMatchObject({
          filter: { kind: /^(and|test)$/ },
        })
      }
  })

  it('end for hostile texts', { timeout: 30_000 }, () => {
    for (const piece of [
      'in ',
      'in log.',
      'in last ',
      'timestamp between ',
      'timestamp > now ',
      'a ',
      '= ',
      ', ',
      'a = ',
      '" ',
    ])
      expect(at(piece.repeat(32_768 / piece.length))).toBeDefined()
  })
})
