// What can be done to lines between two parts.
import type { Fault, Random } from './campaign/target.ts'
import type { FaultProxy, LineState } from './fault-proxy.ts'

const MAX_DELAY_MS = 1500

/** `whose` names the lines in the table, e.g. 'of senders'. One of them is struck, now and then
 *  all. */
export function makeLineFaults(lines: readonly FaultProxy[], whose: string, weight = 1): Fault[] {
  const kinds: readonly [string, (random: Random) => LineState][] = [
    [`connections ${whose} cut and refused`, () => ({ kind: 'refused' })],
    [`connections ${whose} half open`, () => ({ kind: 'silent' })],
    [
      `connections ${whose} delayed`,
      (random) => ({ kind: 'slow', delayMs: 1 + random(MAX_DELAY_MS) }),
    ],
    [`requests ${whose} cut in the middle`, () => ({ kind: 'cut in requests' })],
    [`answers ${whose} lost`, () => ({ kind: 'answers lost' })],
  ]
  return kinds.map(([name, stateOf]) => ({
    ...{ name, weight, endsCounts: false, canBeLong: false },
    strike: async ({ random, durationMs }) => {
      const one = lines[random(lines.length)]
      const struck = one === undefined || random(3) === 0 ? lines : [one]
      const state = stateOf(random)
      const isCutAfter = random(2) === 0
      await Promise.all(struck.map((line) => line.become(state)))
      await new Promise((resolve) => setTimeout(resolve, durationMs))
      // Otherwise what was held arrives late, after its repeats.
      if (isCutAfter) for (const line of struck) line.cut()
      await Promise.all(struck.map((line) => line.become({ kind: 'good' })))
    },
  }))
}
