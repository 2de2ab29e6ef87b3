// Two front processes beside one, by turns: what an event costs of all processes together, the
// least of all rounds.
import { type OwnPlace, openEmbedded, withPlaces } from './place.ts'
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
import { type Counter, type Stretch, sendBatches, sendSingles, waitForEvents } from './send.ts'
import { printVerdicts } from './verdicts.ts'

const ASKED = 1.25
const SETTLE_MS = 2000

type Side = { readonly place: OwnPlace; readonly known: Counter }

export async function benchFronts(options: Plan): Promise<boolean> {
  const { directory } = options
  return await withPlaces(
    () => openEmbedded(directory, {}, 'one-front'),
    () => openEmbedded(directory, { LOGEYE_HTTP_FRONT_PROCESSES: '2' }, 'two-fronts'),
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
  const wrong: string[] = []
  const least = new Map<string, number>()
  const note = (side: Side, kind: string, stretch: Stretch) => {
    printStretch(side.place, kind, stretch)
    wrong.push(...stretch.wrong)
    const key = `${side.place.name} ${kind}`
    least.set(key, Math.min(cpuOf(stretch), least.get(key) ?? Number.POSITIVE_INFINITY))
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
  const ratio = (kind: string) =>
    (least.get(`two-fronts ${kind}`) ?? Number.NaN) / (least.get(`one-front ${kind}`) ?? Number.NaN)
  const verdicts = ['single', 'batches'].map((kind) => ({
    name: `CPU an event of two fronts against one, ${kind}`,
    value: ratio(kind),
    unit: 'times',
    asked: { most: ASKED },
  }))
  const isRight = printWrong(wrong)
  return printVerdicts(verdicts) && isRight
}
