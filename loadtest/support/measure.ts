// What the benchmark reads back from outside: through the public search and the disk.
import { spawnSync } from 'node:child_process'
import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import zlib from 'node:zlib'
import type { SearchClient } from '../../test/support/clients/search-client.ts'
import { makeEvents } from './events.ts'
import { makePost, runLoad } from './http-load.ts'

export type Expected = { readonly events: number; readonly seed: number; readonly host: string }

/** The last count seen; returns early when it is reached or passed. */
export async function waitForCount(
  search: SearchClient,
  query: string,
  count: number,
  limitMs: number,
): Promise<number> {
  const deadline = performance.now() + limitMs
  let found = 0
  while (performance.now() < deadline) {
    found = await search.count(query)
    if (found >= count) return found
    // Each look costs the store a scan of what it counts.
    await sleep(250)
  }
  return found
}

/** Content, exactly: groups against the generator's own, and 100 whole events read back byte for
 *  byte by their identifiers. */
export async function checkContent(search: SearchClient, expected: Expected): Promise<string[]> {
  const wrong: string[] = []
  const counts: Record<string, Map<string, number>> = {
    service: new Map(),
    level: new Map(),
    status: new Map(),
    host: new Map(),
  }
  const samples: string[] = []
  const events = makeEvents(expected.seed)
  const step = Math.max(1, Math.floor(expected.events / 100))
  for (let number = 0; number < expected.events; number += 1) {
    const line = events.next()
    if (number % step === 0) samples.push(line)
    for (const [key, map] of Object.entries(counts)) {
      const value = new RegExp(`"${key}":"?([^",}]*)`).exec(line)?.[1] ?? ''
      map.set(value, (map.get(value) ?? 0) + 1)
    }
  }
  const scope = `in server.${expected.host}`
  for (const [key, map] of Object.entries(counts)) {
    const answer = await search.search(`* ${scope} | count | group by column.${key}`, {
      maxNumOfRecords: '1000',
    })
    const got = new Map(
      answer.rows.slice(1).map(([value = '', count = '']) => [value, Number(count)]),
    )
    for (const [value, count] of map) {
      if (got.get(value) !== count)
        wrong.push(`${key} = ${value}: ${got.get(value)} instead of ${count} ${answer.message}`)
    }
    if (got.size !== map.size) wrong.push(`${key}: ${got.size} values instead of ${map.size}`)
  }
  const distinct = await search.search(`* ${scope} | distinct count trace_id`)
  if (Number(distinct.rows[1]?.[0]) !== expected.events)
    wrong.push(`${distinct.rows[1]?.[0]} different trace ids`)
  for (const line of samples) {
    const traceId = /"trace_id":"([0-9a-f]+)"/.exec(line)?.[1] ?? ''
    const answer = await search.search(`${traceId} ${scope} | display only raw`)
    const raws = answer.rows.slice(1).map((row) => row[0])
    if (raws.length !== 1 || raws[0] !== line)
      wrong.push(`event ${traceId} reads back differently (${raws.length} rows) ${answer.message}`)
  }
  return wrong
}

/** Milliseconds from the post to the first search that finds the event, one at a time;
 *  ascending. */
export async function timeToSearchable(options: {
  port: number
  path: string
  search: SearchClient
  samples: number
}): Promise<Float64Array> {
  const times: number[] = []
  for (let sample = 0; sample < options.samples; sample += 1) {
    const word = `needle${sample}x${process.pid}`
    const started = performance.now()
    const request = makePost(
      options.path,
      Buffer.from(JSON.stringify({ message: `low load ${word}` })),
    )
    await runLoad({
      port: options.port,
      connections: 1,
      request: (number) => (number === 0 ? request : null),
      limitMs: 10_000,
    })
    const found = await waitForWord(options.search, word, 10_000)
    times.push(found ? performance.now() - started : Number.POSITIVE_INFINITY)
    await sleep(20)
  }
  return Float64Array.from(times).sort()
}

async function waitForWord(search: SearchClient, word: string, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs
  while (performance.now() < deadline) {
    const answer = await search.search(word, {
      fixedInterval: 'last15Minutes',
      maxNumOfRecords: '1',
    })
    if (answer.numberOfResults > 0) return true
    await sleep(5)
  }
  return false
}

const QUIET_MS = 90_000
const REST_LIMIT_MS = 300_000

export type DiskFigures = { readonly storeBytes: number; readonly zstdBytes: number | null }

/** Files of the store once merges have come to rest and their sources are removed (a minute later),
 *  against one zstd -3 of what was sent. */
export async function diskFigures(
  dataDir: string,
  bodies: readonly Buffer[],
): Promise<DiskFigures> {
  const store = join(dataDir, 'store')
  let storeBytes = directoryBytes(store)
  let quietSince = performance.now()
  const deadline = quietSince + REST_LIMIT_MS
  while (performance.now() - quietSince < QUIET_MS && performance.now() < deadline) {
    await sleep(1000)
    const now = directoryBytes(store)
    if (Math.abs(now - storeBytes) > storeBytes * 0.002) quietSince = performance.now()
    storeBytes = now
  }
  return { storeBytes, zstdBytes: zstdBytes(Buffer.concat(bodies)) }
}

function directoryBytes(path: string): number {
  let bytes = 0
  for (const entry of entriesOf(path)) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) bytes += directoryBytes(child)
    else if (entry.isFile()) bytes += fileBytes(child)
  }
  return bytes
}

/** A merge may remove what was there a moment ago. */
function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return []
  }
}

function fileBytes(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}

function zstdBytes(input: Buffer): number | null {
  const compress = 'zstdCompressSync' in zlib ? zlib.zstdCompressSync : undefined
  if (typeof compress === 'function') return compress(input).length
  const run = spawnSync('zstd', ['-3', '-c'], { input, maxBuffer: 2 ** 31 })
  return run.status === 0 ? run.stdout.length : null
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
