// What 5,000 visible logs cost: the same search by a user who sees 50 and by one who sees 5,050, by
// turns; the least of twenty each: of five, a search that keeps both cores busy differs by more
// than what is asked for.
import type { Loaded } from './load-data.ts'
import { OurClient } from './our-client.ts'
import { CROWD, MANY_LOGS, READER } from './prepare-users.ts'
import { ms } from './print-figures.ts'

const ROUNDS = 20
const LIMIT_MS = 10
const QUERIES = ['deadline', '*', 'zebrafish', 'deadline | count', '* | count | group by level']

export async function measureIds({ product }: Loaded): Promise<string[]> {
  const few = new OurClient(product.port, READER)
  const many = new OurClient(product.port, CROWD)
  const missed: string[] = []
  for (const query of QUERIES) {
    const [fewMs, manyMs] = await leastByTurns([
      () => few.text(query, 'all'),
      () => many.text(query, 'all'),
    ])
    const costMs = manyMs - fewMs
    const text = `${MANY_LOGS} visible logs more, ${query}: ${ms(fewMs)} -> ${ms(manyMs)} ms`
    console.log(`${text}, cost ${ms(costMs)} ms (asked: at most ${LIMIT_MS})`)
    if (costMs > LIMIT_MS) missed.push(text)
  }
  few.close()
  many.close()
  return missed
}

async function leastByTurns(
  asks: readonly [() => Promise<unknown>, () => Promise<unknown>],
): Promise<[number, number]> {
  const least: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const at of [0, 1] as const) {
      const started = performance.now()
      await asks[at]()
      if (round >= 0) least[at] = Math.min(least[at], performance.now() - started)
    }
  }
  return least
}
