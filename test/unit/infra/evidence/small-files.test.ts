// What the engine may have written into the small files of a part: each other text is named, and
// where it is not certain nothing.
import { describe, expect, it } from 'vitest'
import {
  findChanged,
  type ToldPart,
  type WrittenFiles,
} from '../../../../infra/evidence/verify/small-files.ts'

const TOLD: ToldPart = {
  isCompact: true,
  codec: 'ZSTD(1)',
  columns: [
    { column: 'policy', substreams: ['policy'] },
    { column: 'host', substreams: ['host.dict', 'host'] },
    { column: 'rest', substreams: ['rest.sparse.idx', 'rest.size', 'rest'] },
    {
      column: 'columns',
      substreams: [
        'columns.object_structure',
        'columns.log.LowCardinality%28String%29.dict_prefix',
        'columns.b%20c.variant_discr',
        'columns.log.LowCardinality%28String%29.dict',
        'columns.log.LowCardinality%28String%29',
      ],
    },
  ],
}
const SUBSTREAMS = `columns substreams version: 1
4 columns:
1 substreams for column \`policy\`:
	policy
3 substreams for column \`host\`:
	host.dict_prefix
	host.dict
	host
3 substreams for column \`rest\`:
	rest.sparse.idx
	rest.size
	rest
5 substreams for column \`columns\`:
	columns.object_structure
	columns.log.LowCardinality%28String%29.dict_prefix
	columns.b%20c.variant_discr
	columns.log.LowCardinality%28String%29.dict
	columns.log.LowCardinality%28String%29
`
const WHOLE: WrittenFiles = {
  names: new Set([
    'checksums.txt',
    'columns.txt',
    'columns_substreams.txt',
    'data.bin',
    'data.cmrk4',
    'default_compression_codec.txt',
    'metadata_version.txt',
  ]),
  version: '0',
  codec: 'CODEC(ZSTD(1))',
  substreams: SUBSTREAMS,
}
const FILES = {
  version: 'metadata_version.txt',
  codec: 'default_compression_codec.txt',
  substreams: 'columns_substreams.txt',
} as const

const without = (...gone: readonly string[]) =>
  new Set([...WHOLE.names].filter((name) => !gone.includes(name)))
const find = (change: Partial<WrittenFiles>, told: Partial<ToldPart> = {}, tableVersion = 0) =>
  findChanged({ ...WHOLE, ...change }, { ...TOLD, ...told }, tableVersion)

it('names nothing of what the engine writes', () => {
  expect(find({})).toBeUndefined()
  expect(find({ version: '12' }, {}, 12)).toBeUndefined()
})

describe.each(Object.entries(FILES))('%s', (key, file) => {
  const text = String(WHOLE[key as keyof typeof FILES])

  it('names each changed bit, each cut and what is behind', () => {
    const missed: string[] = []
    const look = (bytes: Buffer, what: string) => {
      if (find({ [key]: bytes.toString('latin1') }) !== file) missed.push(what)
    }
    for (let at = 0; at < text.length; at += 1)
      for (let bit = 0; bit < 8; bit += 1) {
        const bytes = Buffer.from(text)
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
        look(bytes, `byte ${at}, bit ${bit}`)
      }
    for (let length = 0; length < text.length; length += 1)
      look(Buffer.from(text.slice(0, length)), `cut at ${length}`)
    look(Buffer.from(`${text}x`), 'more')
    look(Buffer.from(`${text}\n`), 'a line more')
    look(Buffer.from(text + text), 'twice')
    expect(missed).toEqual([])
  })

  it('names nothing of one that cannot be read', () => {
    expect(find({ [key]: undefined })).toBeUndefined()
  })
})

it('names files that no part is without', () => {
  expect(find({ names: without('checksums.txt') })).toBe('checksums.txt')
  expect(find({ names: without(FILES.codec), codec: undefined })).toBe(FILES.codec)
  expect(find({ names: without(FILES.substreams), substreams: undefined })).toBe(FILES.substreams)
})

it('names none that a part may be without', () => {
  expect(find({ names: without(FILES.version), version: undefined })).toBeUndefined()
  const names = without(FILES.substreams, 'data.cmrk4')
  expect(find({ names, substreams: undefined })).toBeUndefined()
  const wide = without(FILES.substreams)
  expect(find({ names: wide, substreams: undefined }, { isCompact: false })).toBeUndefined()
})

it('names columns that the part does not have, or has in another order', () => {
  expect(find({}, { columns: TOLD.columns.slice(1) })).toBe(FILES.substreams)
  expect(find({}, { columns: TOLD.columns.toReversed() })).toBe(FILES.substreams)
})

it('names nothing of a part with columns of which the names are not plain', () => {
  const columns = [...TOLD.columns, { column: 'nest.a', substreams: ['nest.size0', 'nest%2Ea'] }]
  expect(find({}, { columns })).toBeUndefined()
})
