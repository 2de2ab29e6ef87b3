import { describe, expect, it } from 'vitest'
import { findUnitDamage } from '../../../../ingest/ledger/find-damage.ts'
import type { GoneSum, UnitContent } from '../../../../ingest/ledger/unit-sums.ts'

const UNIT = { policyId: 1, day: 20_000 }
const QUARTER_MS = 900_000

function content(logs: Readonly<Record<number, Readonly<Record<number, number>>>>): UnitContent {
  return new Map(
    Object.entries(logs).map(([log, quarters]) => [
      Number(log),
      new Map(
        Object.entries(quarters).map(([at, events]) => [
          Number(at),
          { events, bytes: events * 10 },
        ]),
      ),
    ]),
  )
}

const gone = (logId: number, events: number): GoneSum => ({ ...UNIT, logId, partition: 0, events })
const even = { gone: [], missing: 0, tooMany: 0 }

describe('the damage of a unit', () => {
  it('is none where logs have what the counters say', () => {
    const same = content({ 7: { 100: 5 } })
    const seen = { heldBefore: same, received: same, heldAfter: same }
    expect(findUnitDamage(UNIT, { ...seen, ...even })).toEqual([])
  })

  it('names the log, the number, and the times of what is missing', () => {
    const seen = {
      heldBefore: undefined,
      received: content({ 7: { 100: 5, 101: 4, 102: 3 }, 8: { 100: 1 } }),
      heldAfter: content({ 7: { 100: 5, 101: 1 }, 8: { 100: 1 } }),
    }
    expect(findUnitDamage(UNIT, { ...seen, ...even, missing: 6 })).toEqual([
      {
        ...UNIT,
        kind: 'events',
        logId: 7,
        partition: 0,
        events: 6,
        bytes: 60,
        fromMs: 101 * QUARTER_MS,
        toMs: 103 * QUARTER_MS,
      },
    ])
  })

  it('is less by what is gone, and what is gone and back is seen', () => {
    const received = content({ 7: { 100: 5 } })
    const none = { heldBefore: undefined, received, heldAfter: content({}) }
    expect(findUnitDamage(UNIT, { ...none, ...even, gone: [gone(7, 5)] })).toEqual([])
    const back = { heldBefore: received, received, heldAfter: received }
    const found = findUnitDamage(UNIT, { ...back, ...even, gone: [gone(7, 5)], tooMany: 5 })
    expect(found).toMatchObject([{ kind: 'returned', logId: 7, events: 5 }])
  })

  it('is of the counters where more is held than was counted, unless batches are on their way', () => {
    const held = content({ 7: { 100: 5 } })
    const seen = { received: content({ 7: { 100: 2 } }), heldAfter: held }
    expect(findUnitDamage(UNIT, { ...seen, heldBefore: undefined, ...even })).toEqual([])
    const settled = findUnitDamage(UNIT, { ...seen, heldBefore: held, ...even, tooMany: 3 })
    expect(settled).toMatchObject([{ kind: 'counters', logId: 7, events: 3 }])
    const corrected = { ...seen, heldBefore: held, ...even, gone: [gone(7, -3)] }
    expect(findUnitDamage(UNIT, corrected)).toEqual([])
  })

  it('is of no log where parts say another number than they hold', () => {
    const same = content({ 7: { 100: 5 } })
    const seen = { heldBefore: undefined, received: same, heldAfter: same }
    const found = findUnitDamage(UNIT, { ...seen, ...even, missing: 2 })
    expect(found).toMatchObject([{ kind: 'events', logId: 0, events: 2 }])
  })
})
