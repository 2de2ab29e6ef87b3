// What became of each fault, a JSON line each. A fault may have several: of the tests related to
// its file, then of whole tiers.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { type Fault, nameOf } from './fault-list.ts'

export type Outcome = 'detected' | 'survived' | 'undecided' | 'not applied' | 'not built'

export type Result = {
  readonly number: number
  readonly name: string
  readonly commit: string
  /** `related`, or the name of what was run. */
  readonly tier: string
  readonly outcome: Outcome
  /** The first test that fails with the fault and passes without it. */
  readonly test?: string
  /** Files whose failure does not count: without the fault, too, or not again with it. */
  readonly chance?: readonly string[]
  readonly reason?: string
  readonly seconds: number
}

export function readResults(file: string): Result[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}

export function appendResult(file: string, result: Result): void {
  appendFileSync(file, `${JSON.stringify(result)}\n`)
  const { name, tier, outcome, test = '', reason = '', seconds } = result
  console.log(`${name}, ${tier}: ${outcome} ${test}${reason} (${Math.round(seconds)} s)`)
}

/** Of each fault the best that any of its runs says. */
export function verdicts(results: readonly Result[]): Map<number, Outcome> {
  const verdict = new Map<number, Outcome>()
  for (const { number, outcome } of results)
    if (verdict.get(number) !== 'detected') verdict.set(number, outcome)
  return verdict
}

export type Comparison = {
  readonly table: string
  /** What the old tests detect and the new ones do not. */
  readonly lost: readonly number[]
  /** How many of the old detections are kept. */
  readonly keptShare: number
}

export function compareResults(
  faults: readonly Fault[],
  older: readonly Result[],
  newer: readonly Result[],
): Comparison {
  const [before, after] = [verdicts(older), verdicts(newer)]
  const rows = faults.map((fault) => {
    const cells = [before, after].map((side) => side.get(fault.number) ?? 'no result')
    return `| ${[nameOf(fault), ...cells].join(' | ')} |`
  })
  const detected = faults.filter(({ number }) => before.get(number) === 'detected')
  const lost = detected.filter(({ number }) => after.get(number) !== 'detected')
  return {
    table: ['| fault | old | new |', '|---|---|---|', ...rows].join('\n'),
    lost: lost.map(({ number }) => number),
    keptShare: detected.length === 0 ? 1 : 1 - lost.length / detected.length,
  }
}
