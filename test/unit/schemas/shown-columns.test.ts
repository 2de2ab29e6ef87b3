// What reading the shown columns keeps alive; what it gives is compared with the store in
// test/contract/store/shown-columns.test.ts.
import { describe, expect, it } from 'vitest'
import { readShownColumns } from '../../../schemas/shown-columns.ts'
import { usedBytes } from '../../support/machine/used-bytes.ts'
import { series } from '../../support/run/tier.ts'

const ROWS = series(50, 100)
const LONG = 500_000
const VALUE = 'a value of more than a few characters'

describe('a shown column', () => {
  it.each([
    ['rest', (long: string) => ({ rest: `\x1f${VALUE}\x1f${long}`, names: 'x' })],
    ['others', (long: string) => ({ others: `x\x02${VALUE}\x1fy\x02${long}\x1f` })],
    [
      'ids',
      (long: string) => ({ ids: `${VALUE.replaceAll(' ', '-')} ${long}`, idNames: 'x\x02y' }),
    ],
  ])('does not keep the whole of its event alive (%s)', async (_, eventOf) => {
    const kept: (string | undefined)[] = []
    const before = await usedBytes()
    for (let row = 0; row < ROWS; row += 1) {
      const nothing = { rest: '', names: '', others: '', idNames: '', ids: '' }
      // As it is read from an answer: flat.
      const event = JSON.parse(JSON.stringify(eventOf(String(row).padEnd(LONG, 'z'))))
      kept.push(readShownColumns({ ...nothing, ...event }).get('x'))
    }
    const bytes = (await usedBytes()) - before
    expect(kept).toHaveLength(ROWS)
    expect(kept[ROWS - 1]?.replaceAll('-', ' ')).toBe(VALUE)
    expect(bytes).toBeLessThan((ROWS * LONG) / 10)
  })
})
