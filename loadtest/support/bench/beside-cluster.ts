// The Kafka form (Kafka, PostgreSQL, the store and one process a role on this machine) beside the
// embedded one, by turns.
import { type OwnPlace, openCluster, openEmbedded, withPlaces } from './place.ts'
import {
  cpuOf,
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
import { median, printVerdicts } from './verdicts.ts'

const ASKED = 0.6
const SETTLE_MS = 3000

type Side = { readonly place: OwnPlace; readonly known: Counter }

export async function benchCluster(options: Plan): Promise<boolean> {
  const { directory } = options
  return await withPlaces(
    () => openEmbedded(directory),
    () => openCluster(directory),
    (...places) =>
      measure(
        places.map((place) => ({ place, known: { found: 0 } })),
        options,
      ),
  )
}

async function measure(
  sides: readonly Side[],
  { events, rounds, singleMs }: Plan,
): Promise<boolean> {
  const singles = makeSingles()
  const load = { connections: SINGLE_CONNECTIONS, limitMs: singleMs }
  const single = ({ place, known }: Side) => sendSingles(place, singles, load, known)
  // The first requests pay for code that no compiler has seen yet, most of all in the broker.
  for (const side of sides) await single(side)
  const done = new Map<string, Stretch[]>()
  const each = async (kind: string, number: number, run: (side: Side) => Promise<Stretch>) => {
    for (const side of inTurns(sides, number)) {
      const stretch = await run(side)
      printStretch(side.place, kind, stretch)
      const key = `${side.place.name} ${kind}`
      done.set(key, [...(done.get(key) ?? []), stretch])
      await pause(SETTLE_MS)
    }
  }
  for (let number = 0; number < rounds; number += 1) {
    const round = makeRound(number, events / rounds)
    await each('single', number, single)
    await each('batches', number, ({ place, known }) =>
      sendBatches(place, round.bodies, round.events, known),
    )
  }
  const ratio = (kind: string, figure: (stretch: Stretch) => number) => {
    const embedded = done.get(`embedded ${kind}`) ?? []
    const cluster = done.get(`cluster ${kind}`) ?? []
    return median(cluster.map((it, at) => figure(it) / figure(embedded[at] ?? it)))
  }
  const of = (name: string, value: number) => ({
    name: `${name}, against embedded`,
    value,
    unit: 'times',
    asked: { least: ASKED },
  })
  for (const kind of ['single', 'batches'])
    console.log(`CPU an event, ${kind}: ${ratio(kind, cpuOf).toFixed(2)} times that of embedded`)
  const isRight = printWrong([...done.values()].flat().flatMap((stretch) => stretch.wrong))
  const verdicts = [
    of(
      'Kafka form, single-event posts',
      ratio('single', (it) => it.acknowledged),
    ),
    of(
      'Kafka form, batches acknowledged',
      ratio('batches', (it) => it.acknowledged),
    ),
    of(
      'Kafka form, batches until searchable',
      ratio('batches', (it) => it.searchable),
    ),
  ]
  return printVerdicts(verdicts) && isRight
}
