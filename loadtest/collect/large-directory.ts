// A directory of a hundred thousand files: until all are known, until a line in a new one is found,
// and the memory that knowing them takes.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Verdict } from '../support/bench/verdicts.ts'
import {
  type CollectingProduct,
  onCollectingProduct,
  printRoles,
  restingShares,
  secondsUntil,
  sumOf,
} from './collecting-product.ts'

const FILES = 100_000
const NEW_FILES = 5
const POSTED_AT_ONCE = 10_000
const ASKED_SECONDS = 2
const ASKED_MIB = 200
const SETTLE_MS = 10_000
const REST_MS = 10_000
const LIMIT_MS = 900_000
const POLL = { limitMs: LIMIT_MS, everyMs: 50 }

export async function measureDirectory(share: number): Promise<Verdict[]> {
  return await onCollectingProduct(async (place) => {
    const { files, search, sdk } = place
    const count = Math.round(FILES * share)
    const directory = join(files, 'many')
    mkdirSync(directory)
    for (let number = 0; number < count; number += 1)
      writeFileSync(join(directory, `app-${number}.log`), lineOf(number))
    await post(place, count)
    const isPosted = async () => (await search.count('*')) >= count
    await secondsUntil('posts', isPosted, POLL)
    await sleep(SETTLE_MS)
    const before = place.memoryMib()
    let mostMib = 0
    const sampler = setInterval(() => {
      mostMib = Math.max(mostMib, sumOf(place.memoryMib()))
    }, 500)
    const startedMs = performance.now()
    await sdk('addLog', { name: 'many', filePaths: join(directory, '*.log') })
    const isKnown = async () => (await place.metric('logeye_collect_files', 'log="many"')) >= count
    await secondsUntil('files', isKnown, POLL)
    const known = (performance.now() - startedMs) / 1000
    const isRead = async () => (await search.count('* in log.many')) >= count
    await secondsUntil('lines', isRead, POLL)
    const read = (performance.now() - startedMs) / 1000
    clearInterval(sampler)
    await sleep(SETTLE_MS)
    const after = place.memoryMib()
    const addedMib = sumOf(after) - sumOf(before)
    const peakMib = mostMib - sumOf(before)
    const rest = await restingShares(place, REST_MS)
    const news = await timesOfNewFiles(place, directory)
    const newest = Math.max(...news)
    console.log(`${count} files in a directory: known after ${known.toFixed(2)} s`)
    console.log(`  their lines found after ${read.toFixed(2)} s`)
    console.log(`  memory ${addedMib.toFixed(0)} MiB more, ${peakMib.toFixed(0)} at most`)
    console.log(`  before, MiB: ${printRoles(before)}`)
    console.log(`  after: ${printRoles(after)}`)
    console.log(`  at rest, % of a core: ${printRoles(rest)}`)
    console.log(`  the line of a new file is found after ${news.map((s) => s.toFixed(2))} s`)
    return [
      {
        ...{ name: `${count} files in a directory, until all are known`, unit: 's' },
        ...{ value: known, asked: { most: ASKED_SECONDS } },
      },
      {
        ...{ name: `a new file among ${count}, until its line is found`, unit: 's' },
        ...{ value: newest, asked: { most: ASKED_SECONDS } },
      },
      {
        ...{ name: `memory that ${count} files add`, unit: 'MiB' },
        ...{ value: addedMib, asked: { most: ASKED_MIB } },
      },
    ]
  })
}

function lineOf(number: number): string {
  return `2026-10-01 00:00:00.000 INFO web-01 app-${number} is ready after ${number % 1000} ms: this is its only line\n`
}

/** As many lines as the files have: what the writer keeps for itself is no memory of files. */
async function post({ product }: CollectingProduct, count: number): Promise<void> {
  const address = `${product.url}/logeye/api/logger.jsp?token=${product.secrets.token}`
  for (let from = 0; from < count; from += POSTED_AT_ONCE) {
    const size = Math.min(POSTED_AT_ONCE, count - from)
    const lines = Array.from({ length: size }, (_, at) =>
      JSON.stringify({ message: lineOf(from + at) }),
    )
    const answer = await fetch(address, {
      ...{ method: 'POST', body: lines.join('\n') },
      headers: { 'content-type': 'application/json' },
    })
    if (answer.status !== 200) throw new Error(`a post was answered ${answer.status}`)
  }
}

/** Seconds, one after another. */
async function timesOfNewFiles({ search }: CollectingProduct, directory: string) {
  const times: number[] = []
  for (let number = 0; number < NEW_FILES; number += 1) {
    const word = `newcomer${number}x${process.pid}`
    writeFileSync(join(directory, `new-${number}.log`), `INFO ${word}\n`)
    const isFound = async () => {
      const { numberOfResults } = await search.search(word, {
        ...{ fixedInterval: 'last15Minutes', maxNumOfRecords: '1' },
      })
      return numberOfResults > 0
    }
    times.push(await secondsUntil(word, isFound, POLL))
  }
  return times
}
