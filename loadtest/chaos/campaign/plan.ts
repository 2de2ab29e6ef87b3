// What will be done when: made before anything runs, from the seed and the names of the faults
// alone, so that the same seed replays it.
import { createHash } from 'node:crypto'
import { mulberry32 } from '../../support/events.ts'
import type { Fault, Random } from './target.ts'

const MAX_GAP_MS = 600
const SHORTEST_MS = 50
/** Most are short: a product that comes back soon is hit again while it takes up its work. */
const SHORT_MS = 2900
const LONG_MS = 60_000
/** Of three rounds one lets every process live, so that what the processes counted can be compared
 *  with what there is. */
const COUNTED_EVERY = 3

export type PlannedStrike = {
  readonly fault: string
  /** After the end of the one before. */
  readonly gapMs: number
  readonly durationMs: number
  /** Of what the fault draws itself. */
  readonly seed: number
}

/** Between two rounds everything is read back. */
export type Round = { readonly isCounted: boolean; readonly strikes: readonly PlannedStrike[] }

export type PlanOptions = {
  readonly seed: number
  readonly faults: number
  /** How many of them last 60 s. */
  readonly long: number
  readonly roundLength: number
}

export type Choice = Pick<Fault, 'name' | 'weight' | 'endsCounts' | 'canBeLong'>

export function makePlan(choices: readonly Choice[], options: PlanOptions): Round[] {
  const random = mulberry32(options.seed)
  const gentle = choices.filter((it) => !it.endsCounts)
  const lasting = choices.filter((it) => it.canBeLong)
  const longAt = spread(lasting.length === 0 ? 0 : options.long, options.faults, random)
  const fresh = new Set(choices)
  const rounds: Round[] = []
  for (let made = 0; made < options.faults; ) {
    const isCounted = gentle.length > 0 && rounds.length % COUNTED_EVERY === COUNTED_EVERY - 1
    const strikes: PlannedStrike[] = []
    for (; strikes.length < options.roundLength && made < options.faults; made += 1) {
      const isLong = longAt.has(made)
      const allowed = isCounted ? gentle : choices
      const fault = choose([isLong ? lasting : [], [...fresh], choices], allowed, random)
      fresh.delete(fault)
      strikes.push({
        fault: fault.name,
        gapMs: random(MAX_GAP_MS),
        durationMs:
          isLong && fault.canBeLong ? LONG_MS : SHORTEST_MS + random(1 + random(SHORT_MS)),
        seed: random(2 ** 31),
      })
    }
    rounds.push({ isCounted, strikes })
  }
  return rounds
}

/** Equal plans have equal prints. */
export function printOfPlan(rounds: readonly Round[]): string {
  return createHash('sha256').update(JSON.stringify(rounds)).digest('hex').slice(0, 12)
}

function spread(count: number, among: number, random: Random): Set<number> {
  const chosen = new Set<number>()
  while (chosen.size < Math.min(count, among)) chosen.add(random(among))
  return chosen
}

/** From the first group that has something allowed: first every kind once, then as they weigh. */
function choose(
  groups: readonly (readonly Choice[])[],
  allowed: readonly Choice[],
  random: Random,
): Choice {
  const among = groups.map((group) => group.filter((it) => allowed.includes(it)))
  return pick(among.find((group) => group.length > 0) ?? [], random)
}

function pick(choices: readonly Choice[], random: Random): Choice {
  let at = random(choices.reduce((sum, it) => sum + it.weight, 0))
  for (const choice of choices) {
    at -= choice.weight
    if (at < 0) return choice
  }
  throw new Error('there is no fault to choose')
}
