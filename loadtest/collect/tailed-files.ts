// What a thousand files cost that are read to their end: CPU when nothing comes, and how long a new
// line takes until a search finds it.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Verdict } from '../support/bench/verdicts.ts'
import { mulberry32 } from '../support/events.ts'
import { percentile } from '../support/http-load.ts'
import {
  type CollectingProduct,
  onCollectingProduct,
  printRoles,
  restingShares,
  secondsUntil,
  sumOf,
} from './collecting-product.ts'

const FILES = 1000
const LINES_EACH = 20
const SAMPLES = 200
const LEAST_SAMPLES = 100
const ASKED_PERCENT = 5
const ASKED_SECONDS = 2
const SETTLE_MS = 20_000
const REST_MS = 30_000
const LIMIT_MS = 300_000
/** Between two lines; the moment must not be that of a look. */
const MOST_PAUSE_MS = 500
const LOOK_MS = 20

export async function measureTailed(share: number): Promise<Verdict[]> {
  return await onCollectingProduct(async (place) => {
    const { files, search, sdk } = place
    const count = Math.round(FILES * share)
    const directory = join(files, 'tailed')
    mkdirSync(directory)
    const paths = Array.from({ length: count }, (_, number) => join(directory, `app-${number}.log`))
    for (const [number, path] of paths.entries()) writeFileSync(path, linesOf(number))
    await sleep(SETTLE_MS)
    const without = await restingShares(place, REST_MS)
    await sdk('addLog', { name: 'tailed', filePaths: join(directory, '*.log') })
    const all = count * LINES_EACH
    const isFound = async () => (await search.count('* in log.tailed')) >= all
    const seconds = await secondsUntil('lines', isFound, { limitMs: LIMIT_MS, everyMs: 100 })
    await sleep(SETTLE_MS)
    const within = await restingShares(place, REST_MS)
    const added = sumOf(within) - sumOf(without)
    console.log(`${count} files of ${LINES_EACH} lines: found after ${seconds.toFixed(2)} s`)
    console.log(`  at rest without them, % of a core: ${printRoles(without)}`)
    console.log(`  with them: ${printRoles(within)}; more by ${added.toFixed(2)}`)
    const times = await timesOfNewLines(place, paths, Math.max(LEAST_SAMPLES, SAMPLES * share))
    const [p50, p99] = [percentile(times, 0.5) / 1000, percentile(times, 0.99) / 1000]
    console.log(`  a new line is found after ${p50.toFixed(2)} s, p99 ${p99.toFixed(2)} s`)
    return [
      {
        ...{ name: `${count} files tailed, nothing comes: added CPU`, unit: '% of a core' },
        ...{ value: added, asked: { most: ASKED_PERCENT } },
      },
      {
        ...{ name: `${count} files tailed, a new line until found, p99`, unit: 's' },
        ...{ value: p99, asked: { most: ASKED_SECONDS } },
      },
    ]
  })
}

function linesOf(number: number): string {
  return Array.from(
    { length: LINES_EACH },
    (_, line) => `2026-10-01 00:00:00 INFO file ${number} line ${line} was there before\n`,
  ).join('')
}

/** Milliseconds from the write to the answer that has it; ascending. */
async function timesOfNewLines(
  { search }: CollectingProduct,
  paths: readonly string[],
  samples: number,
): Promise<Float64Array> {
  const random = mulberry32(1)
  const written = new Map<string, number>()
  const times: number[] = []
  const write = async () => {
    for (let sample = 0; sample < samples; sample += 1) {
      const word = `needle${sample}x${process.pid}`
      written.set(word, performance.now())
      appendFileSync(paths[random(paths.length)] ?? '', `2026-10-01 00:00:01 INFO probe ${word}\n`)
      await sleep(random(MOST_PAUSE_MS))
    }
  }
  const writing = write()
  const isFound = async () => {
    const parameters = { fixedInterval: 'last15Minutes', maxNumOfRecords: '1000' }
    const { rows } = await search.search('probe in log.tailed | display only raw', parameters)
    const nowMs = performance.now()
    for (const [raw = ''] of rows) {
      const word = / probe (\w+)/.exec(raw)?.[1] ?? ''
      const startedMs = written.get(word)
      if (startedMs === undefined) continue
      written.delete(word)
      times.push(nowMs - startedMs)
    }
    return times.length >= samples
  }
  await secondsUntil('new lines', isFound, { limitMs: LIMIT_MS, everyMs: LOOK_MS })
  await writing
  return Float64Array.from(times).sort()
}
