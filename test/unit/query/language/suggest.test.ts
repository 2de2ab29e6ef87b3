import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../../../query/language/parse/parse-query.ts'
import { makeCatalog } from '../../../../query/language/resolve/known-columns.ts'
import { printScopeName, printValue, suggest } from '../../../../query/language/suggest.ts'
import { patient } from '../../../support/run/patience.ts'

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

  it('are quick for hostile texts', () => {
    const started = performance.now()
    for (const piece of ['in ', 'in log.', 'a ', '= ', ', ', 'a = ', '" '])
      at(piece.repeat(32_768 / piece.length))
    expect(performance.now() - started).toBeLessThan(patient(1000))
  })
})
