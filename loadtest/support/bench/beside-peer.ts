// Product and VictoriaLogs in one run, by turns, the same bodies: rates, answers compared for
// equality, disk at rest, single posts, memory.
import { join } from 'node:path'
import { compareAnswers } from './compare-answers.ts'
import { bytesByColumn, restingBytes } from './disk.ts'
import { HOST, type OwnPlace, openEmbedded, openPeer, type PeerPlace, withPlaces } from './place.ts'
import {
  inTurns,
  makeRound,
  makeSingles,
  type Plan,
  pause,
  printStretch,
  printWrong,
  SINGLE_CONNECTIONS,
} from './plan.ts'
import { type Counter, type Stretch, sendBatches, sendSingles } from './send.ts'
import { median, printVerdicts, type Verdict } from './verdicts.ts'

const ASKED = { acknowledged: 1, searchable: 0.6, disk: 1, single: 1.2 }
const INGEST_MIB = 1536
const SEARCHED_MIB = 2048
const SEARCHERS = 8
const SETTLE_MS = 3000
const SHOWN_COLUMNS = 16
const MIB = 2 ** 20
const QUERIES = ['deadline', '* | count | group by level', '"gave up after 3 retries" | count']

type Options = Plan & { readonly binary: string; readonly hasDisk: boolean }
type Pair = { readonly own: Stretch; readonly peer: Stretch }
type Sides = {
  readonly own: OwnPlace
  readonly peer: PeerPlace
  readonly known: { readonly own: Counter; readonly peer: Counter }
}

export async function benchPeer(options: Options): Promise<boolean> {
  const { directory, binary } = options
  return await withPlaces(
    () => openEmbedded(directory),
    () => openPeer(binary, directory),
    (own, peer) =>
      measure({ own, peer, known: { own: { found: 0 }, peer: { found: 0 } } }, options),
  )
}

async function measure(sides: Sides, options: Options): Promise<boolean> {
  const { own, peer } = sides
  const { batches, seeds } = await runBatches(sides, options)
  const wrong = batches.flatMap((pair) => [...pair.own.wrong, ...pair.peer.wrong])
  wrong.push(...(await compareAnswers(own, peer, seeds)))
  if (wrong.length === 0) console.log('both give the same counts, groups and sampled events')
  const disk = options.hasDisk ? [await weighDisk(sides)] : []
  const singles = await runSingles(sides, options)
  wrong.push(...singles.flatMap((pair) => [...pair.own.wrong, ...pair.peer.wrong]))
  const searched = await besideSearches(sides, options)
  const ingestMiB =
    Math.max(...[...batches, ...singles].map((pair) => pair.own.peakMemoryBytes)) / MIB
  const ratio = (pairs: readonly Pair[], rate: 'acknowledged' | 'searchable') =>
    median(pairs.map((pair) => pair.own[rate] / pair.peer[rate]))
  const verdicts: Verdict[] = [
    times('batches acknowledged and durable', ratio(batches, 'acknowledged'), ASKED.acknowledged),
    times('batches until searchable', ratio(batches, 'searchable'), ASKED.searchable),
    ...disk,
    times('single-event posts', ratio(singles, 'acknowledged'), ASKED.single),
    {
      name: 'memory of all roles during ingest',
      value: ingestMiB,
      unit: 'MiB',
      asked: { most: INGEST_MIB },
    },
    {
      name: 'memory of all roles, searches beside ingest',
      value: searched,
      unit: 'MiB',
      asked: { most: SEARCHED_MIB },
    },
  ]
  const isRight = printWrong(wrong)
  return printVerdicts(verdicts) && isRight
}

function times(name: string, value: number, least: number): Verdict {
  return { name: `${name}, against VictoriaLogs`, value, unit: 'times', asked: { least } }
}

async function runBatches(sides: Sides, { events, rounds }: Options) {
  const batches: Pair[] = []
  const seeds: { seed: number; events: number }[] = []
  for (let number = 0; number < rounds; number += 1) {
    const round = makeRound(number, events / rounds)
    seeds.push({ seed: round.seed, events: round.events })
    batches.push(
      await eachInTurn(sides, number, async (place, known) => {
        const stretch = await sendBatches(place, round.bodies, round.events, known)
        printStretch(place, 'batches', stretch)
        return stretch
      }),
    )
  }
  return { batches, seeds }
}

async function runSingles(sides: Sides, { rounds, singleMs }: Options): Promise<Pair[]> {
  const bodies = makeSingles()
  const pairs: Pair[] = []
  for (let number = 0; number < rounds; number += 1)
    pairs.push(
      await eachInTurn(sides, number, async (place, known) => {
        const load = { connections: SINGLE_CONNECTIONS, limitMs: singleMs }
        const stretch = await sendSingles(place, bodies, load, known)
        printStretch(place, 'single', stretch)
        return stretch
      }),
    )
  return pairs
}

async function eachInTurn(
  { own, peer, known }: Sides,
  number: number,
  run: (place: OwnPlace | PeerPlace, known: Counter) => Promise<Stretch>,
): Promise<Pair> {
  const done = new Map<string, Stretch>()
  for (const side of inTurns(['own', 'peer'] as const, number)) {
    done.set(side, await run(side === 'own' ? own : peer, known[side]))
    await pause(SETTLE_MS)
  }
  const [mine, other] = [done.get('own'), done.get('peer')]
  if (mine === undefined || other === undefined) throw new Error('a side was left out')
  return { own: mine, peer: other }
}

async function weighDisk({ own, peer, known }: Sides): Promise<Verdict> {
  const store = join(own.dataDir, 'store')
  const [ours = 0, theirs = 0] = await restingBytes([store, peer.dataDir])
  const events = known.own.found
  console.log(
    `disk at rest, bytes an event: store ${(ours / events).toFixed(1)}, VictoriaLogs ${(theirs / events).toFixed(1)}`,
  )
  for (const [name, bytes] of bytesByColumn(store).slice(0, SHOWN_COLUMNS))
    console.log(`  ${name.padEnd(24)} ${(bytes / events).toFixed(2)}`)
  return {
    name: 'disk of the store at rest, against VictoriaLogs',
    value: ours / theirs,
    unit: 'times',
    asked: { most: ASKED.disk },
  }
}

/** MiB of all roles at their peak. */
async function besideSearches({ own, known }: Sides, { events, rounds }: Options): Promise<number> {
  let isOver = false
  const searchers = Array.from({ length: SEARCHERS }, async (_, at) => {
    for (let count = at; !isOver; count += 1) {
      const query = QUERIES[count % QUERIES.length] ?? '*'
      const [condition = '', ...stages] = query.split(' | ')
      const scoped = [`${condition} in server.${HOST}`, ...stages].join(' | ')
      await own.search.search(scoped, { maxNumOfRecords: '100' }).catch(() => pause(100))
    }
  })
  const round = makeRound(rounds, events / rounds)
  try {
    const stretch = await sendBatches(own, round.bodies, round.events, known.own)
    printStretch(own, 'searched', stretch)
    return stretch.peakMemoryBytes / MIB
  } finally {
    isOver = true
    await Promise.all(searchers)
  }
}
