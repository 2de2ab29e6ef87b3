// What happens to connections between two parts: shut, slow, cut in the middle, half open; and
// answers that are lost when the work is done.

import type { ClusterLink, ClusterLinks } from '../../../test/support/cluster/cluster-links.ts'
import {
  isAppend,
  isCommit,
  isInsert,
  type RequestTest,
} from '../../../test/support/network/answer-cutter.ts'
import type { Direction } from '../../../test/support/network/toxiproxy.ts'
import type { Fault, Random } from '../campaign/target.ts'
import { pick } from './process-faults.ts'
import { sleep } from './sleep.ts'

/** Parts as the table names them, and how often what lies between them is disturbed. */
const PAIRS: readonly (readonly [from: string, to: string, weight: number])[] = [
  ['listener', 'kafka', 2],
  ['writer', 'kafka', 2],
  ['query', 'kafka', 1],
  ['listener', 'postgres', 1],
  ['writer', 'postgres', 1],
  ['query', 'postgres', 1],
  ['scheduler', 'postgres', 1],
  ['scheduler', 'store', 1],
  ['writer', 'store', 2],
  ['query', 'store', 1],
  ['edge', 'listener', 1],
  ['senders', 'edge', 1],
]
const MAX_LATENCY_MS = 1500
const MAX_BYTES = 4000
const MAX_ANSWERS = 3
/** In this time something is asked, if anything works. */
const ASKED_MS = 1500
const POLL_MS = 10

type Disturb = (link: ClusterLink, random: Random) => Promise<void>

const DISTURBANCES: Readonly<Record<string, Disturb>> = {
  shut: (link) => link.shut(),
  slow: async (link, random) => {
    const latency = 20 + random(MAX_LATENCY_MS)
    await link.add({ type: 'latency', latency, jitter: Math.floor(latency / 2) }, either(random))
  },
  'cut in the middle': async (link, random) => {
    const direction = either(random)
    if (random(3) === 0) await link.add({ type: 'reset_peer', timeout: random(50) }, direction)
    else await link.add({ type: 'limit_data', bytes: random(MAX_BYTES) }, direction)
  },
  // One of the two hears nothing any more and is not told so.
  'half open': (link, random) => link.add({ type: 'timeout', timeout: 0 }, either(random)),
}

export function linkFaults(links: ClusterLinks): Fault[] {
  const between = (from: string, to: string) =>
    links.all.filter((it) => isOf(it.from, from) && isOf(it.to, to))
  const disturbed = PAIRS.flatMap(([from, to, weight]) =>
    Object.entries(DISTURBANCES).map(([name, disturb]): Fault => {
      const title = `${from}-${to} ${name}`
      return {
        ...{ name: title, weight, endsCounts: false, canBeLong: true },
        strike: async ({ random, durationMs }) => {
          const chosen = choose(between(from, to), random)
          try {
            for (const link of chosen) await disturb(link, random)
            await sleep(durationMs)
          } finally {
            for (const link of chosen) await link.heal()
          }
        },
      }
    }),
  )
  return [
    ...disturbed,
    lostAnswers('answers to appends lost', between('listener', 'kafka'), isAppend),
    lostAnswers('answers to commits lost', between('writer', 'kafka'), isCommit),
    lostAnswers('answers to inserts lost', between('writer', 'store'), isInsert),
  ]
}

function lostAnswers(name: string, among: readonly ClusterLink[], isAsked: RequestTest): Fault {
  const cutters = among.flatMap(({ cutter }) => (cutter === undefined ? [] : [cutter]))
  return {
    ...{ name, weight: 4, endsCounts: false, canBeLong: false },
    strike: async ({ random }) => {
      const count = 1 + random(MAX_ANSWERS)
      for (const cutter of cutters) Object.assign(cutter, { isAsked, toLose: count })
      const endMs = performance.now() + ASKED_MS
      while (performance.now() < endMs && cutters.some(({ toLose }) => toLose > 0))
        await sleep(POLL_MS)
      for (const cutter of cutters) cutter.toLose = 0
    },
  }
}

/** One node's link, or all that this node has to parts of the kind. */
function choose(among: readonly ClusterLink[], random: Random): readonly ClusterLink[] {
  const one = pick(among, random)
  return random(2) === 0 ? [one] : among.filter(({ from }) => from === one.from)
}

/** 'writer-2' is a writer. */
function isOf(name: string, kind: string): boolean {
  return name === kind || name.startsWith(`${kind}-`)
}

function either(random: Random): Direction {
  return random(2) === 0 ? 'up' : 'down'
}
