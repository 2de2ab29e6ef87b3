// Files of logs become events (docs/decisions/0094): which files, which text, which events.
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as zlib from 'node:zlib'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addTemplate } from '../../../infra/metastore/templates/template-changes.ts'
import { makeKeepsBy } from '../../../ingest/collect/filter-events.ts'
import { makeEventFilter } from '../../../query/language/event-filter.ts'
import { Failure } from '../../../schemas/failures.ts'
import type { LogDefinition } from '../../../schemas/log-definition.ts'
import {
  type CollectPlace,
  openCollectPlace,
  type RunningCollector,
} from '../../support/collect/collect-place.ts'
import { evtxLines, evtxSample } from '../../support/collect/evtx-samples.ts'
import { missing } from '../../support/run/missing.ts'
import { spawnSync } from '../../support/run/run-sync.ts'
import { itUnless } from '../../support/run/skip.ts'

let collect: CollectPlace
let running: RunningCollector

beforeAll(async () => {
  collect = await openCollectPlace()
  running = await collect.collect()
})
afterAll(async () => {
  await running?.stop()
  await collect?.close()
})

const utf16 = (text: string) =>
  Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])

type Case = {
  readonly name: string
  readonly files: Readonly<Record<string, string | Buffer>>
  readonly paths: readonly string[]
  readonly definition?: Partial<LogDefinition>
  readonly messages: readonly string[]
  readonly fault?: string
}

const TWO = '{date:Date,yyyy-MM-dd HH:mm:ss} {string:Message}'
const CASES: Case[] = [
  {
    name: 'plain',
    files: { 'a.log': 'one\ntwo\r\n\n', 'b.txt': 'other\n' },
    paths: ['a.log'],
    messages: ['one', 'two'],
  },
  {
    name: 'several paths and a directory',
    files: { 'a.log': 'a\n', 'd/b.log': 'b\n', 'd/c.log': 'c\n' },
    paths: ['a.log', 'd'],
    messages: ['a', 'b', 'c'],
  },
  {
    name: 'globs and dates',
    files: {
      'app-27-01-2026.log': '1\n',
      'app-x.log': 'no\n',
      'x/y/z1.log': 'deep\n',
      'x/z22.log': 'no\n',
    },
    paths: ['app-{date,dd-MM-yyyy}.log', 'x/**/z?.log'],
    messages: ['1', 'deep'],
  },
  {
    name: 'no end of the last line',
    files: { 'a.log': 'one\nlast' },
    paths: ['a.log'],
    messages: ['one', 'last'],
  },
  {
    name: 'several lines',
    files: {
      'a.log': '2026-01-01 10:00:00 first\n  at x\n  at y\n2026-01-01 10:00:01 second\n',
    },
    paths: ['a.log'],
    definition: { patterns: [TWO], timeZone: 'Asia/Kolkata' },
    messages: ['2026-01-01 10:00:00 first\n  at x\n  at y', '2026-01-01 10:00:01 second'],
  },
  {
    name: 'gzip',
    files: { 'a.log.gz': Buffer.concat([gzipSync('one\n'), gzipSync('two')]) },
    paths: ['*.gz'],
    messages: ['one', 'two'],
  },
  {
    name: 'utf-16 by its mark',
    files: { 'a.log': utf16('größe\nzwei\n') },
    paths: ['a.log'],
    messages: ['größe', 'zwei'],
  },
  {
    name: 'iso-8859-1',
    files: { 'a.log': Buffer.from('größe\n', 'latin1') },
    paths: ['a.log'],
    definition: { charSet: 'ISO-8859-1' },
    messages: ['größe'],
  },
  {
    name: 'shift-jis',
    // 日本 and 表, whose second byte is that of a backslash.
    files: { 'a.log': Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x0a, 0x95, 0x5c, 0x0a]) },
    paths: ['a.log'],
    definition: { charSet: 'Shift_JIS' },
    messages: ['日本', '表'],
  },
  {
    name: 'gbk',
    files: { 'a.log': Buffer.from([0xd6, 0xd0, 0xce, 0xc4, 0x0a]) },
    paths: ['a.log'],
    definition: { charSet: 'GBK' },
    messages: ['中文'],
  },
  {
    name: 'event log of Windows',
    files: { 'a.evtx': evtxSample('dns.evtx') },
    paths: ['*.evtx'],
    messages: evtxLines('dns.jsonl'),
  },
  {
    name: 'binary',
    files: { 'a.log': Buffer.from([1, 0, 2, 0, 3, 10]), 'b.log': 'text\n' },
    paths: ['*.log'],
    messages: ['text'],
    fault: 'no text',
  },
  {
    name: 'broken gzip',
    files: { 'a.gz': gzipSync(Buffer.from('x'.repeat(5000))).subarray(0, 20) },
    paths: ['a.gz'],
    messages: [],
    fault: 'unexpected end of file',
  },
  {
    name: 'part of a path',
    files: {},
    paths: ['../relative'],
    messages: [],
    fault: 'begin with /',
  },
]
if ('zstdCompressSync' in zlib && typeof zlib.zstdCompressSync === 'function')
  CASES.push({
    name: 'zstd',
    files: { 'a.zst': zlib.zstdCompressSync(Buffer.from('one\n')) },
    paths: ['a.zst'],
    messages: ['one'],
  })
/** An object without a message is stored as it is. */
const textOf = ({ message, raw }: { message: string; raw: string }) => message || raw

it('reads what each log names, as it is written', async () => {
  const ids: number[] = []
  for (const { name, files, paths, definition = {} } of CASES) {
    const root = join(collect.files, name)
    for (const [file, bytes] of Object.entries(files)) {
      mkdirSync(join(root, file, '..'), { recursive: true })
      writeFileSync(join(root, file), bytes)
    }
    const filePaths = paths.map((path) => (path.startsWith('..') ? path : join(root, path)))
    ids.push(await collect.addLog(name, { ...definition, filePaths }))
  }
  // Files of one moment have no order.
  const expected = CASES.map(({ name, messages }) => [name, messages.toSorted()])
  const found = async () => {
    const rows = await collect.rowsOf(ids)
    return CASES.map(({ name }, at) => {
      const own = rows.filter(({ log_id }) => log_id === ids[at])
      return [name, own.map(textOf).toSorted()]
    })
  }
  await collect.untilEqual(found, expected)
  for (const { name, fault } of CASES) {
    const { faults } = running.telemetry.progress().find(({ log }) => log === name) ?? {}
    if (fault === undefined) expect([name, faults]).toEqual([name, []])
    else expect(faults?.join()).toContain(fault)
  }
  const [at] = await collect.place.engine.store.query<{ at: string; host: string; source: string }>(
    {
      sql: `SELECT toString(timestamp) AS at, host, source FROM events
      WHERE message LIKE '2026-01-01 10:00:01%'`,
    },
  )
  expect(at).toMatchObject({ at: expect.stringContaining('2026-01-01 04:30:01'), host: 'web-01' })
  expect(at?.source).toContain('several lines/a.log')
  const windows = ids[CASES.findIndex(({ name }) => name === 'event log of Windows')]
  const [event] = await collect.place.engine.store.query<{ year: number; id: string }>({
    sql: `SELECT toYear(min(timestamp)) AS year, any(toString(columns.Event.System.EventID)) AS id
      FROM events WHERE log_id = ${windows}`,
  })
  expect(event?.year).toBeLessThan(2026)
  expect(event?.id).toMatch(/^\d+$/)
})

const PACKERS = { bzip2: 'a.bz2', xz: 'a.xz' }
const packersMissing = missing(
  () => Object.keys(PACKERS).every((one) => spawnSync(one, ['--help']).error === undefined),
  'bzip2 and xz',
)
itUnless(packersMissing, 'reads what bzip2 and xz packed', async () => {
  for (const [packer, name] of Object.entries(PACKERS)) {
    const path = join(collect.files, name)
    writeFileSync(path, spawnSync(packer, ['-c'], { input: 'one\ntwo\n' }).stdout)
    const id = await collect.addLog(packer, { filePaths: [path] })
    await collect.untilEqual(() => collect.messages(id), ['one', 'two'])
  }
})

it('makes columns of lines that are objects, and of no others', async () => {
  const path = join(collect.files, 'objects.log')
  const lines = [
    '{"timestamp":"2026-01-02T03:04:05Z","level":"error","message":"disk full","user":{"id":7},"productName":"another log"}',
    'plain text',
    '{ "log":"of a container\\n", "stream":"stderr","time":"2026-01-02T03:04:06.5Z"}',
    '{"message":"cut off',
    '{"count":1.10}',
  ]
  writeFileSync(path, `${lines.join('\n')}\n`)
  const id = await collect.addLog('objects', { filePaths: [path] })
  const texts = ['disk full', lines[1], 'of a container\n', lines[3], lines[4]]
  const found = async () =>
    Object.fromEntries((await collect.rows(id)).map((row) => [textOf(row), row]))
  await collect.untilEqual(
    async () => Object.keys(await found()).toSorted(),
    texts.flatMap((text) => text ?? []).toSorted(),
  )
  const rows = await found()
  // No line chooses another log.
  expect(new Set(Object.values(rows).map(({ log_id }) => log_id))).toEqual(new Set([id]))
  expect(rows['disk full']?.columns).toMatchObject({
    ...{ level: 'error', user: { id: 7 }, productName: 'another log' },
  })
  expect(rows['of a container\n']?.columns).toMatchObject({ stream: 'stderr' })
  const times = await collect.place.engine.store.query<{ at: string }>({
    sql: `SELECT toString(timestamp) AS at FROM events WHERE log_id = ${id} ORDER BY timestamp LIMIT 2`,
  })
  expect(times.map(({ at }) => at.slice(0, 21))).toEqual([
    '2026-01-02 03:04:05.0',
    '2026-01-02 03:04:06.5',
  ])
})

it('hides what the template of a log hides, before it is durable', async () => {
  const { database } = collect.place.metastore
  await database.write((transaction) =>
    addTemplate(transaction, collect.clock, 'Hiding', {
      ...{ description: '', logTypes: ['hiding'], patterns: ['{string:Message}'] },
      maskRules: ['replace *** email'],
    }),
  )
  const path = join(collect.files, 'hidden.log')
  writeFileSync(path, 'mail of ann@example.org came\n')
  const id = await collect.addLog('hidden', { filePaths: [path], template: 'Hiding' })
  await collect.untilEqual(() => collect.messages(id), ['mail of *** came'])
})

it('keeps a line that is too large beside the log, and reads on', async () => {
  const path = join(collect.files, 'large.log')
  writeFileSync(path, `a\n${'x'.repeat(10 * 1024 * 1024)}\nb\n`)
  const id = await collect.addLog('large', { filePaths: [path] })
  await collect.untilEqual(() => collect.messages(id), ['a', 'b'])
  const { logsByPath } = await collect.place.metastore.tree()
  const rejected = logsByPath.get('System->rejected')?.id ?? 0
  const rows = await collect.place.engine.store.query<{ size: string }>({
    sql: `SELECT length(raw) + length(message) AS size FROM events WHERE log_id = ${rejected}`,
  })
  expect(Number(rows[0]?.size)).toBeGreaterThan(10 * 1024 * 1024)
})

it('reads nothing twice that was read before it was moved, copied or packed', async () => {
  const root = join(collect.files, 'moved')
  mkdirSync(root)
  const path = (name: string) => join(root, name)
  const line = (number: number) => `line ${String(number).padStart(40, '.')}\n`
  writeFileSync(path('a.log'), line(1))
  const id = await collect.addLog('moved', { filePaths: [path('a.log*')] })
  const until = (count: number) =>
    collect.untilEqual(
      () => collect.messages(id),
      Array.from({ length: count }, (_, at) => line(at + 1).trim()),
    )
  await until(1)
  renameSync(path('a.log'), path('a.log.1'))
  appendFileSync(path('a.log.1'), line(2))
  writeFileSync(path('a.log'), line(3))
  await until(3)
  // Copied and cut off, in the same moment with a further line.
  appendFileSync(path('a.log'), line(4))
  writeFileSync(path('a.log.2'), line(3) + line(4))
  writeFileSync(path('a.log'), line(5))
  await until(5)
  // Packed in place of the file, with a line that was not read of it.
  writeFileSync(path('a.log.1.gz'), gzipSync(line(1) + line(2) + line(6)))
  rmSync(path('a.log.1'))
  await until(6)
})

it('waits while the event log takes nothing, and loses nothing', async () => {
  await running.stop()
  const { eventLog } = collect.place
  let isFull = true
  let refused = 0
  running = await collect.collect({
    eventLog: {
      partitions: eventLog.partitions,
      maxBlockBytes: eventLog.maxBlockBytes,
      append: async (partition, bytes) => {
        if (!isFull) return await eventLog.append(partition, bytes)
        refused += 1
        throw new Failure('event_log.full')
      },
    },
  })
  const path = join(collect.files, 'full.log')
  writeFileSync(path, 'one\ntwo\n')
  const id = await collect.addLog('full', { filePaths: [path] })
  await collect.until('it was refused twice', () => refused > 1)
  isFull = false
  await collect.untilEqual(() => collect.messages(id), ['one', 'two'])
})

it('collects what the filter of the log lets pass', async () => {
  await running.stop()
  running = await collect.collect({ makeKeeps: makeKeepsBy(makeEventFilter) })
  const path = join(collect.files, 'filter.log')
  const lines = [
    '2026-01-01 10:00:00 INFO 12 all well',
    '2026-01-01 10:00:01 WARN 7 disk full',
    '2026-01-01 10:00:02 ERROR 7 at last',
    '2026-01-01 10:00:03 ERROR 7 disk quota',
    '2026-01-01 10:00:04 INFO 120 errors',
  ]
  writeFileSync(path, `${lines.join('\n')}\n`)
  const pattern =
    '{date:Date,yyyy-MM-dd HH:mm:ss} {priority:Level,INFO;WARN;ERROR} {number:Ms} {string:Message}'
  const of = async (name: string, dataFilterQuery: string) =>
    await collect.addLog(name, { filePaths: [path], patterns: [pattern], dataFilterQuery })
  const ids = [
    await of('levels', 'Level >= warn and not "disk quota"'),
    await of('numbers', 'Ms > 9 or message contains "FULL"'),
    await of('words', 'err* or last'),
    await of('none', 'nothing in log.x'),
  ]
  const [info = '', full = '', last = '', quota = '', errors = ''] = lines
  const found = async () => {
    const rows = await collect.rowsOf(ids)
    return ids.map((id) => rows.flatMap(({ log_id, message }) => (log_id === id ? message : [])))
  }
  await collect.untilEqual(found, [[full, last], [info, full, errors], [last, quota, errors], []])
  const faults = running.telemetry.progress().find(({ log }) => log === 'none')?.faults
  expect(faults?.join()).toContain('dataFilterQuery')
})

it('reads no file of the product itself, by whatever name', async () => {
  const path = join(collect.files, 'secret.log')
  symlinkSync(join(collect.place.dataDir, 'own.key'), path)
  writeFileSync(join(collect.place.dataDir, 'own.key'), 'a secret\n')
  const id = await collect.addLog('secret', { filePaths: [path] })
  const faults = () => running.telemetry.progress().find(({ log }) => log === 'secret')?.faults
  await collect.until(
    'its fault says why',
    () => faults()?.join().includes('files of the product'),
    faults,
  )
  expect(await collect.rows(id)).toEqual([])
})
