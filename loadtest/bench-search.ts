// `npm run bench:search`: the search figures over events that product and peer both hold, then what
// many visible logs cost, how the query process grows, and searches beside other work. Machines are
// noisy: read ratios of one run. Options: --events N (default 10000000), --peer FILE (a
// VictoriaLogs binary), --data DIR (kept and used again; else made and removed), --only REGEXP
// (names of figures), --parts figures,ids,memory,ingest,fresh, --json FILE. `fresh` fills a product
// of its own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { measureIngestBeside } from './support/ingest-beside-searches.ts'
import { findTraceId } from './support/search-bench/event-bodies.ts'
import { listFigures } from './support/search-bench/figures.ts'
import { type Loaded, openLoaded } from './support/search-bench/load-data.ts'
import { type Measured, measureFigure } from './support/search-bench/measure-figure.ts'
import { measureFresh } from './support/search-bench/measure-fresh.ts'
import { measureIds } from './support/search-bench/measure-ids.ts'
import { measureMemory } from './support/search-bench/measure-memory.ts'
import { OurClient } from './support/search-bench/our-client.ts'
import { READER } from './support/search-bench/prepare-users.ts'
import { judge, printFigure, printHead, printPace } from './support/search-bench/print-figures.ts'

const QUARTER_MS = 900_000
const DAY_MS = 86_400_000
/** A product that was started a moment ago is not what users meet: its code is compiled while it
 *  runs. */
const WARM_UP = 40
const BESIDE = { seconds: 10, rounds: 2, searches: 8, reader: READER }

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000000' },
    peer: { type: 'string' },
    data: { type: 'string' },
    only: { type: 'string', default: '' },
    parts: { type: 'string' },
    json: { type: 'string' },
  },
})
// The load of the last part stays in the directory: on a kept one only when it is asked for.
const parts = (
  values.parts ?? (values.data ? 'figures,ids,memory' : 'figures,ids,memory,ingest')
).split(',')
const dataDir = resolve(values.data ?? mkdtempSync(join(tmpdir(), 'logeye-bench-search-')))
if (values.peer === undefined)
  console.log('NO PEER: --peer names no VictoriaLogs binary, so nothing is compared with it')

const failures: string[] = []
try {
  if (parts.includes('fresh')) failures.push(...(await runFresh()))
  if (parts.some((part) => part !== 'fresh')) failures.push(...(await runLoaded()))
} finally {
  if (values.data === undefined) rmSync(dataDir, { recursive: true, force: true })
}
for (const failure of failures) console.error(`NOT AS ASKED: ${failure}`)
process.exit(failures.length > 0 ? 1 : 0)

async function runFresh(): Promise<string[]> {
  return await measureFresh({
    events: Number(values.events),
    nowMs: Date.now(),
    peerBinary: values.peer,
    // None of the questions that are measured fresh asks for an identifier.
    figures: listFigures(''),
  })
}

async function runLoaded(): Promise<string[]> {
  const loaded = await openLoaded({
    dataDir,
    events: Number(values.events),
    nowMs: Date.now(),
    peerBinary: values.peer,
  })
  try {
    return await runParts(loaded)
  } finally {
    await loaded.peer?.stop()
    await loaded.product.stop()
    await loaded.product.killAll()
  }
}

async function runParts(loaded: Loaded): Promise<string[]> {
  const missed: string[] = []
  if (parts.includes('figures')) missed.push(...(await runFigures(loaded)))
  if (parts.includes('ids')) missed.push(...(await measureIds(loaded)))
  if (parts.includes('memory')) missed.push(...(await measureMemory(loaded)))
  if (parts.includes('ingest')) missed.push(...(await measureIngestBeside(loaded.product, BESIDE)))
  return missed
}

async function runFigures({ spread, product, peer }: Loaded): Promise<string[]> {
  const ours = new OurClient(product.port, READER)
  const endMs = spread.startMs + DAY_MS
  const recent = { startMs: endMs - QUARTER_MS, endMs }
  const measured: Measured[] = []
  // Takes seconds, in which no connection would be kept.
  const figures = listFigures(findTraceId(spread))
  for (let n = 0; n < WARM_UP; n += 1) await ours.search('connection', n % 2 === 0 ? recent : 'all')
  printHead()
  for (const figure of figures) {
    if (!new RegExp(values.only).test(figure.name)) continue
    const window = figure.isRecent ? recent : 'all'
    const result = await measureFigure(figure, ours, peer, window)
    printFigure(result)
    measured.push(result)
  }
  ours.close()
  printPace(measured)
  if (values.json) {
    const plain = measured.map(({ figure, ...figures }) => ({ name: figure.name, ...figures }))
    writeFileSync(values.json, `${JSON.stringify(plain, null, 2)}\n`)
  }
  return measured.flatMap((result) => {
    const { isWithin, isAhead } = judge(result)
    const { name } = result.figure
    return [
      ...(isWithin === false ? [`${name}: slower than its limit, or not measured`] : []),
      ...(isAhead === false ? [`${name}: not as far ahead of the peer as asked`] : []),
      ...(result.difference === '' ? [] : [`${name}: ${result.difference}`]),
    ]
  })
}
