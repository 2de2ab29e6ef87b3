// What the store spends on an event, part by part: `npx tsx loadtest/insert-cost.ts`. Native blocks
// of the writer, one after the other in time, go into tables that are ours but for some indexes;
// the difference is what these cost. CPU time of the whole process, the best of some rounds by
// turns; the engine is the embedded one. Then all parts of a table are merged into one.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { INSERT_SETTINGS } from '../infra/store/insert-settings.ts'
import { openEngine } from '../infra/store/server/engine.ts'
import { ByteBuffer } from '../ingest/bytes/byte-buffer.ts'
import { EVENT_COLUMNS } from '../schemas/event-row.ts'
import { createTable } from '../schemas/store/create-table.ts'
import { TABLES } from '../schemas/store/tables.ts'
import { WORDS_INDEX_NAME } from '../schemas/store/text-index.ts'
import { makeBlocks, makeRows, readBlocks } from './support/writer-rows.ts'

const EVENTS = 100_000
const ROUNDS = 4
const MEMORY_BYTES = 1024 * 1024 * 1024

const isIndex = (line: string) => line.startsWith('INDEX ')
const isWords = (line: string) => line.startsWith(`INDEX ${WORDS_INDEX_NAME} `)
const VARIANTS = [
  { name: 'without_indexes', keeps: (line: string) => !isIndex(line) },
  { name: 'without_words', keeps: (line: string) => !isWords(line) },
  { name: 'whole', keeps: () => true },
] as const

const directory = mkdtempSync(join(tmpdir(), 'logeye-insert-cost-'))
const pipesDirectory = join(directory, 'pipes')
mkdirSync(pipesDirectory)
const engine = openEngine({
  directory: join(directory, 'store'),
  pipesDirectory,
  maxMemoryBytes: MEMORY_BYTES,
})
const session = await engine.commanders.acquire({ signal: new AbortController().signal })
const best = new Map<string, number>()
try {
  for (const { name, keeps } of VARIANTS) {
    const shape = { ...TABLES.events, name, body: TABLES.events.body.filter(keeps) }
    for (const sql of createTable(shape, undefined)) await run(sql)
    await run(`SYSTEM STOP MERGES ${name}`)
  }
  const columns = EVENT_COLUMNS.map(({ name }) => `\`${name}\``).join(', ')
  const settings = Object.entries(INSERT_SETTINGS).map(([name, value]) => `${name} = ${value}`)
  for (let round = 0; round < ROUNDS; round += 1) {
    const file = join(directory, `block-${round}`)
    writeBlock(file, round * EVENTS)
    for (const { name } of VARIANTS) {
      const sql = `INSERT INTO ${name} (${columns}) FROM INFILE '${file}' SETTINGS ${settings.join(', ')} FORMAT Native`
      await measure(name, EVENTS, () => run(sql))
    }
  }
  for (const { name } of VARIANTS) {
    await run(`SYSTEM START MERGES ${name}`)
    await measure(`merge ${name}`, EVENTS * ROUNDS, () => run(`OPTIMIZE TABLE ${name} FINAL`))
  }
} finally {
  await engine.close()
  rmSync(directory, { recursive: true, force: true })
}

const us = (name: string) => best.get(name) ?? Number.NaN
print('insert, columns alone', us('without_indexes'))
print('insert, other indexes', us('without_words') - us('without_indexes'))
print('insert, words index', us('whole') - us('without_words'))
print('one merge, columns alone', us('merge without_indexes'))
print('one merge, other indexes', us('merge without_words') - us('merge without_indexes'))
print('one merge, words index', us('merge whole') - us('merge without_words'))
// The engine's threads would keep the process.
process.exit(0)

function writeBlock(file: string, first: number): void {
  const output = new ByteBuffer()
  makeRows(readBlocks(makeBlocks(EVENTS, first))).write(output, [1], [1])
  writeFileSync(file, output.bytes.subarray(0, output.length))
}

async function run(sql: string): Promise<void> {
  await session.run(sql)
}

async function measure(name: string, events: number, work: () => Promise<void>): Promise<void> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  const each = (user + system) / events
  best.set(name, Math.min(each, best.get(name) ?? each))
}

function print(name: string, value: number): void {
  process.stdout.write(`${name.padEnd(28)} ${value.toFixed(2)} us an event\n`)
}
