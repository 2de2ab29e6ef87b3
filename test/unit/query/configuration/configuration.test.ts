import { describe, expect, it } from 'vitest'
import { printLogRow } from '../../../../query/configuration/describe-logs.ts'
import { printTree } from '../../../../query/configuration/print-tree.ts'
import { parseSourceQuery } from '../../../../query/configuration/source-scope.ts'
import { logDefinitionSchema } from '../../../../schemas/log-definition.ts'
import { levelFault } from '../../../../schemas/names/log-path.ts'

const folder = (id: number, name: string, parentId: number | null = null) => ({
  ...{ id, parentId, name, description: '' },
})
const log = (id: number, name: string, folderId: number) => ({
  ...{ id, name, folderId, folder: [], accountId: null, policyId: 1, appTags: [], typeWords: [] },
  ...{ description: `of ${name}`, definition: logDefinitionSchema.parse({}) },
})

describe('the tree', () => {
  it('has folders first, each by name, and the root where there is nothing else', () => {
    const tree = printTree(
      [folder(1, 'b'), folder(2, 'B'), folder(3, 'inside', 1)],
      [log(7, 'a', 0), log(8, 'z', 1), log(9, 'y', 1)],
    )
    expect(tree.children.map(({ id }) => id)).toEqual(['f2', 'f1', 'l7'])
    const leaf = { description: 'of y', type: 'Log', hasChildrens: false, children: [] }
    expect(tree.children[1]).toEqual({
      ...{ id: 'f1', name: 'b', description: '', type: 'Module', hasChildrens: true },
      children: [
        {
          id: 'f3',
          name: 'inside',
          description: '',
          type: 'Module',
          hasChildrens: false,
          children: [],
        },
        { ...leaf, id: 'l9', name: 'y' },
        { ...leaf, id: 'l8', name: 'z', description: 'of z' },
      ],
    })
    expect(JSON.stringify(printTree([], []))).toBe(
      '{"id":"root","name":"ROOT","description":"","type":"Module","hasChildrens":false,"children":[]}',
    )
  })
})

describe('a row of a log', () => {
  const shown = {
    ...{ type: 'Log' as const, id: 'l17', name: 'access', description: 'edge access log' },
    ...{ path: 'Web->Edge', appTags: ['Storefront', 'EU'], collectionPolicy: 'Default' },
    ...{ patterns: ['{ip:Remote IP}', '{text:All}'], filePaths: '/a.log@#@#/b.log' },
    ...{ accountName: '', charSet: 'UTF-8', timeZone: 'UTC', dataFilterQuery: '' },
  }

  it('has thirteen columns in the order of the specification', () => {
    expect(printLogRow(shown)).toBe(
      'Log | l17 | access | edge access log | Web->Edge | Storefront, EU | Default | {ip:Remote IP}@#@#{text:All} | /a.log@#@#/b.log |  | UTF-8 | UTC | ',
    )
  })

  it('stays one row of thirteen columns, whatever a value holds', () => {
    const hostile = 'a | b\r\nc\u2028d\u0085e||f\u000bg'
    const row = printLogRow({
      ...shown,
      description: hostile,
      appTags: [hostile],
      patterns: [hostile],
    })
    expect(row.split(' | ')).toHaveLength(13)
    expect(row.split(/[\n\r\v\f\u0085\u2028\u2029]/)).toHaveLength(1)
    expect(row.split(' | ')[3]).toBe('a   b c d e  f g')
  })
})

describe('a sourceQuery', () => {
  it('is a scope as in a search; without one it is everything', () => {
    expect(parseSourceQuery(undefined)).toBeUndefined()
    expect(parseSourceQuery('  ')).toBeUndefined()
    const scope = parseSourceQuery('apptag.My Shop, folder."a, b", log.x*')
    expect(scope?.include.map((item) => item.kind === 'scopeName' && item.of)).toEqual([
      'apptag',
      'folder',
      'log',
    ])
  })

  it.each([
    'Web',
    'folder.',
    'folder.a | count',
    'folder.a folder',
    'folder.a not in log.b',
    'server.x',
    'folder.a, file.b',
    'folder.a\u0000|',
  ])('refuses %j with its reason', (text) => {
    const isAccepted = text === 'folder.a folder'
    if (isAccepted) expect(parseSourceQuery(text)?.include).toHaveLength(1)
    else expect(() => parseSourceQuery(text)).toThrow(/^sourceQuery: /)
  })
})

describe('a name that an operator gives', () => {
  it.each(['..', '.', '🦊', '@#@', 'a>b', '-x', 'n'.repeat(255), '🦊'.repeat(255), 'ROOT 2'])(
    'may be %j',
    (name) => expect(levelFault(name)).toBeUndefined(),
  )
  it.each([
    ['', 'must not be empty'],
    ['🦊'.repeat(256), 'must have at most 255 characters'],
    ['a->b', 'must hold no ->, | or @#@#'],
    ['a|b', 'must hold no ->, | or @#@#'],
    ['a@#@#b', 'must hold no ->, | or @#@#'],
    ['a\u0000', 'must hold no control character'],
    ['a\u009f', 'must hold no control character'],
    ['a\u202eb', 'must hold no character that changes the direction of text'],
    ['a\u2066b', 'must hold no character that changes the direction of text'],
    ['a\ud800', 'must be valid Unicode'],
    ['ROOT', 'must not be ROOT'],
  ])('may not be %j', (name, reason) => expect(levelFault(name)).toBe(reason))
})
