// The two HTTP engines beside each other, by turns, single events and batches: the most
// acknowledged a second of all rounds, and the least CPU of the front process an event.
import { type OwnPlace, openEmbedded, withPlaces } from './place.ts'
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
import { type Counter, type Stretch, sendBatches, sendSingles, waitForEvents } from './send.ts'

const SETTLE_MS = 1000

type Side = { readonly place: OwnPlace; readonly known: Counter }
export type EngineFigures = { readonly [name: string]: number }

/** Ratios and rates by name; `isRight` false when an event is missing or was refused. */
export async function benchEngines(
  options: Plan,
): Promise<{ readonly figures: EngineFigures; readonly isRight: boolean }> {
  const { directory } = options
  let figures: EngineFigures = {}
  const isRight = await withPlaces(
    () => openEmbedded(directory, { LOGEYE_HTTP_ENGINE: 'uws' }, 'uws'),
    () => openEmbedded(directory, { LOGEYE_HTTP_ENGINE: 'node' }, 'node'),
    async (...places) => {
      const sides = places.map((place) => ({ place, known: { found: 0 } }))
      const measured = await measure(sides, options)
      figures = measured.figures
      return printWrong(measured.wrong)
    },
  )
  return { figures, isRight }
}

async function measure(
  sides: readonly Side[],
  { events, rounds, singleMs }: Plan,
): Promise<{ figures: EngineFigures; wrong: string[] }> {
  const singles = makeSingles()
  const wrong: string[] = []
  const most = new Map<string, number>()
  const leastCpu = new Map<string, number>()
  const note = (side: Side, kind: string, stretch: Stretch) => {
    printStretch(side.place, kind, stretch)
    wrong.push(...stretch.wrong)
    const key = `${side.place.name} ${kind}`
    most.set(key, Math.max(stretch.acknowledged, most.get(key) ?? 0))
    const cpu = stretch.cpu.get('front') ?? Number.NaN
    leastCpu.set(key, Math.min(cpu, leastCpu.get(key) ?? Number.POSITIVE_INFINITY))
  }
  for (let number = 0; number < rounds; number += 1) {
    const round = makeRound(number, events)
    for (const side of inTurns(sides, number)) {
      const load = { connections: SINGLE_CONNECTIONS, limitMs: singleMs }
      note(side, 'single', await sendSingles(side.place, singles, load, side.known))
      await waitForEvents(side.place, side.known.found)
      note(side, 'batches', await sendBatches(side.place, round.bodies, round.events, side.known))
      await pause(SETTLE_MS)
    }
  }
  const figures: Record<string, number> = {}
  for (const kind of ['single', 'batches']) {
    const ofBoth = (values: ReadonlyMap<string, number>) => {
      const [uws, node] = ['uws', 'node'].map((it) => values.get(`${it} ${kind}`) ?? Number.NaN)
      return { uws: uws ?? Number.NaN, node: node ?? Number.NaN }
    }
    const { uws, node } = ofBoth(most)
    const cpu = ofBoth(leastCpu)
    figures[`${kind}, node:http events/s`] = node
    figures[`${kind}, uWebSockets.js events/s`] = uws
    figures[`${kind}, node:http against uWebSockets.js`] = node / uws
    figures[`${kind}, CPU of the front an event, the same`] = cpu.node / cpu.uws
  }
  return { figures, wrong }
}
