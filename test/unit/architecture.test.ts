import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  findFullFolders,
  findLongestChain,
  findViolations,
  findWideComments,
  importsOf,
  type SourceFile,
  withoutTexts,
} from '../support/rules/architecture.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDERS = [
  'schemas',
  'infra',
  'ingest',
  'query',
  'portal',
  'roles',
  'web',
  'loadtest',
  'test',
]

function readTree(): SourceFile[] {
  const read = (path: string): SourceFile => ({
    path: relative(ROOT, path).replaceAll('\\', '/'),
    text: readFileSync(path, 'utf8'),
  })
  const files = [read(join(ROOT, 'main.ts'))]
  for (const folder of readdirSync(ROOT).filter((name) => FOLDERS.includes(name))) {
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && /\.tsx?$/.test(entry.name))
        files.push(read(join(entry.parentPath, entry.name)))
    }
  }
  return files
}

function listFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
}

/** These may only fall: lower the number when you remove a cast, or make the longest way from one
 *  file to another shorter. */
const MAX_CASTS = 79
const MAX_CHAIN = 31

describe('the architecture', () => {
  const tree = readTree()

  it('holds in every file', () => {
    expect(tree.length).toBeGreaterThan(50)
    expect(findViolations(tree)).toEqual([])
  })

  it.each([
    ['ingest/writer/x.ts', "import { a } from '../../query/app.ts'", 'ingest may not know query'],
    [
      'query/search/x.ts',
      "import type { A } from '../../ingest/split/a.ts'",
      'query may not know ingest',
    ],
    ['infra/x.ts', "export { a } from '../ingest/a.ts'", 'infra may not know ingest'],
    ['schemas/x.ts', "import { a } from '../infra/clock.ts'", 'schemas may not know infra'],
    [
      'query/language/x.ts',
      "import { readFileSync } from 'node:fs'",
      'a pure folder has no packages',
    ],
    ['ingest/split/x.ts', "import { a } from '../../infra/clock.ts'", 'a pure folder does no IO'],
    [
      'query/search/x.ts',
      "import { createClient } from '@clickhouse/client'",
      'only infra/store/ may',
    ],
    ['ingest/x.ts', "import fancy from 'left-pad'", 'no owner'],
    ['ingest/x.ts', "const a = await import('lmdb')", 'only infra/event-log/ may'],
    ['infra/x.ts', "import {\n  a,\n  b,\n} from '../query/a.ts'", 'infra may not know query'],
    ['infra/x.ts', "import { a } from './a.js'", 'ends in .ts'],
    ['main.ts', "import { a } from './test/support/a.ts'", 'does not need its tests'],
    ['infra/x.ts', "const a = await import('../roles/writer.ts')", 'infra may not know roles'],
    ['query/x.ts', "import { a } from '../roles/query.ts'", 'query may not know roles'],
    ['loadtest/x.ts', "import { a } from '../roles/query.ts'", 'only main.ts may know roles'],
    ['roles/x.ts', "import { a } from '../main.ts'", 'roles may not know main.ts'],
    ['roles/x.ts', "import { a } from '../loadtest/a.ts'", 'only tests of load tests'],
    ['roles/x.ts', "import { z } from 'zod'", 'may'],
    ['query/x.ts', 'const now = Date.now()', 'infra/clock.ts'],
    ['loadtest/x.ts', "import { a } from '../test/contract/a.ts'", 'does not need its tests'],
    ['test/support/x.ts', "import { a } from '../../loadtest/a.ts'", 'only tests of load tests'],
    [
      'test/support/reference/run/x.ts',
      "import type { A } from '../../../../query/language/tree.ts'",
      'may not know what it judges',
    ],
    ['portal/x.ts', "import { a } from '../query/app.ts'", 'portal may not know query'],
    ['web/console/x.tsx', "import { a } from '../../query/app.ts'", 'web may not know query'],
    ['web/shared/x.tsx', "import { a } from '../../infra/clock.ts'", 'web may not know infra'],
    ['query/x.ts', "import { a } from '../web/shared/x.ts'", 'query may not know web'],
    ['query/x.ts', "import { h } from 'preact'", 'only web/ may'],
    [
      'test/contract/x.ts',
      "import { spawn, spawnSync } from 'node:child_process'",
      'may wait for a program for ever',
    ],
    ['query/x.ts', "import './x.css'", 'ends in .ts'],
    ['web/console/x.tsx', 'const now = Date.now()', 'web/shared/clock.ts'],
    ['portal/x.ts', "import { a } from '../ingest/split/a.ts'", 'portal may not know ingest'],
    ['query/x.ts', "import { a } from '../portal/app.ts'", 'query may not know portal'],
    ['ingest/x.ts', "import { a } from '../portal/app.ts'", 'ingest may not know portal'],
    ['infra/x.ts', "import { a } from '../portal/app.ts'", 'infra may not know portal'],
    [
      'portal/pricing/engine/x.ts',
      "import { a } from '../../../infra/clock.ts'",
      'a pure folder does no IO',
    ],
    ['portal/pricing/engine/x.ts', "import { z } from 'zod'", 'a pure folder has no packages'],
    [
      'portal/pricing/engine/x.ts',
      "import { BigNumber } from 'bignumber.js'",
      'only portal/pricing/engine/decimal.ts may',
    ],
    ['portal/pricing/engine/x.ts', 'const a = Number(b)', 'money is exact'],
    ['portal/pricing/engine/x.ts', 'const a = list.map(Number)', 'money is exact'],
    ['portal/pricing/engine/x.ts', 'const a = parseFloat(b)', 'money is exact'],
    ['portal/pricing/engine/x.ts', 'const a = Math.round(b)', 'money is exact'],
    ['portal/pricing/engine/x.ts', 'const a = b * 0.19', 'money is exact'],
    ['portal/pricing/engine/x.ts', 'const a = 1e-3', 'money is exact'],
    ['portal/pricing/engine/x.ts', 'const a = b.toNumber()', 'money is exact'],
    ['portal/pricing/engine/x.ts', 'const a = b.div(c)', 'money is exact'],
    ['portal/pricing/engine/decimal.ts', 'const a = Math.round(b)', 'money is exact'],
    [
      'test/support/reference/pricing/x.ts',
      "import type { A } from '../../../../portal/pricing/engine/quote.ts'",
      'may not know what it judges',
    ],
  ])('catches a planted violation in %s: %s', (path, text, reason) => {
    expect(findViolations([{ path, text }]).join('\n')).toContain(reason)
  })

  it('lets texts and comments of the pricing engine speak of numbers', () => {
    const text = "// 0.5 and Math.round(a)\nconst a = decimal('0.5')\n/** 1e-3 */\nconst b = 12"
    expect(findViolations([{ path: 'portal/pricing/engine/x.ts', text }])).toEqual([])
  })

  it('has no folder of more than twenty files, and would see one', () => {
    const paths = [...FOLDERS, 'docs', '.ci']
      .filter((folder) => existsSync(join(ROOT, folder)))
      .flatMap((folder) => listFiles(folder))
    expect(paths.length).toBeGreaterThan(500)
    expect(findFullFolders(paths)).toEqual([])
    const many = Array.from({ length: 21 }, (_, i) => `query/x/${i}.ts`)
    expect(findFullFolders(many)).toEqual(['query/x has 21 files, at most 20'])
  })

  it('has comments of at most 100 columns, and would see a wider one', () => {
    expect(findWideComments(tree)).toEqual([])
    const text = `const a = 1\n  // ${'x'.repeat(95)}\n  // ${'x'.repeat(96)}`
    expect(findWideComments([{ path: 'query/x.ts', text }])).toEqual([
      'query/x.ts:3 is a comment of 101 columns',
    ])
  })

  it('reads every form of import', () => {
    expect(
      importsOf(
        "import 'a'\nimport b from 'b'\nexport * from 'c'\nimport type {\n D } from \"d\"\nawait import('e')",
      ),
    ).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('lets the number of casts only fall', () => {
    const product = tree.filter((file) => !file.path.startsWith('test/'))
    const casts = product.flatMap(({ text }) => [
      ...withoutTexts(text).matchAll(/\bas (?!const\b)(?:unknown|any|[A-Z{[(])/g),
      ...text.matchAll(/@ts-(?:ignore|expect-error)|biome-ignore/g),
    ])
    expect(casts.length).toBeLessThanOrEqual(MAX_CASTS)
  })

  it('lets the longest chain of imports only become shorter', () => {
    const product = tree.filter(({ path }) => !/^(?:test|loadtest)\//.test(path))
    const lines = product.map(({ text }) => text.split('\n').length - 1).sort((a, b) => a - b)
    const chain = findLongestChain(product)
    console.log(
      `${product.length} files of the product, median ${lines[lines.length >> 1]} lines; the longest chain of imports has ${chain.length} files`,
    )
    expect(chain.length, chain.join('\n')).toBeLessThanOrEqual(MAX_CHAIN)
  })

  it('finds the longest chain of imports, also where some import each other', () => {
    const file = (path: string, ...targets: string[]) => ({
      path,
      text: targets.map((target) => `import '${target}'`).join('\n'),
    })
    const tree = [
      file('a.ts', './b/c.ts', './d.ts'),
      file('b/c.ts', '../d.ts', 'node:fs'),
      file('d.ts', './e.ts'),
      file('e.ts', './d.ts'),
    ]
    expect(findLongestChain(tree)).toEqual(['a.ts', 'b/c.ts', 'd.ts', 'e.ts'])
  })
})
