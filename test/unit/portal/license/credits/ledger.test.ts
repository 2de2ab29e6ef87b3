import { describe, expect, it } from 'vitest'
import {
  parseAmount,
  priceOfBytes,
  printAmount,
} from '../../../../../portal/license/credits/amount.ts'
import { balanceAt, bookedBalanceAt } from '../../../../../portal/license/credits/balance.ts'
import {
  addGrant,
  type Booked,
  bookTime,
  reportUsage,
  voidGrant,
} from '../../../../../portal/license/credits/book.ts'
import { findCreditsExhausted } from '../../../../../portal/license/credits/exhausted.ts'
import {
  type Grant,
  type Ledger,
  openLedger,
} from '../../../../../portal/license/credits/ledger.ts'

const day = (date: number) => `2026-03-${String(date).padStart(2, '0')}T00:00:00.000Z`

function makeGrant(some: Partial<Grant>): Grant {
  return {
    id: 'g1',
    amount: '100',
    currency: 'EUR',
    priority: 1,
    effectiveAt: day(1),
    expiresAt: null,
    source: 'offer 7',
    ...some,
  }
}

function must(booked: Booked): Ledger {
  if (booked.kind === 'refused') throw new Error(booked.reason)
  return booked.ledger
}

function grant(...grants: readonly Partial<Grant>[]): Ledger {
  return grants.reduce<Ledger>(
    (ledger, some) => must(addGrant(ledger, makeGrant(some), day(1))),
    openLedger('EUR'),
  )
}

function use(ledger: Ledger, date: number, amount: string, at = date): Ledger {
  const usage = { key: `day ${date}`, at: day(date), amount, reason: 'above the plan' }
  return must(reportUsage(ledger, usage, day(at)))
}

const last = (ledger: Ledger) => ledger.movements[ledger.movements.length - 1]
const left = (ledger: Ledger, at: string) =>
  balanceAt(ledger, at).grants.map((it) => `${it.grant.id} ${it.available}`)

describe('credits are used', () => {
  it('by priority, then by what expires first, then by age', () => {
    let ledger = grant(
      { id: 'later', priority: 2 },
      { id: 'never', amount: '10' },
      { id: 'young', amount: '10', effectiveAt: day(2), expiresAt: day(20) },
      { id: 'old', amount: '10', expiresAt: day(20) },
      { id: 'soon', amount: '10', expiresAt: day(10) },
    )
    const order: (string | null)[] = []
    for (let date = 3; date < 8; date++) {
      ledger = use(ledger, date, '10')
      order.push(last(ledger)?.entries[0]?.grantId ?? null)
    }
    expect(order).toEqual(['soon', 'old', 'young', 'never', 'later'])
  })

  it('never below zero: the rest is uncovered, and said', () => {
    const ledger = use(grant({ amount: '4.5' }), 2, '6')
    expect(balanceAt(ledger, day(2))).toMatchObject({ amount: '0.00', uncovered: '1.50' })
    expect(last(ledger)).toEqual({
      number: 2,
      at: day(2),
      kind: 'burn',
      entries: [
        { account: 'available', grantId: 'g1', amount: '-4.50' },
        { account: 'burned', grantId: 'g1', amount: '4.50' },
        { account: 'uncovered', grantId: null, amount: '1.50' },
        { account: 'owed', grantId: null, amount: '-1.50' },
      ],
      explanation:
        `Usage of ${day(2)}: 6.00 EUR (above the plan): grant g1 (priority 1, never expires) pays ` +
        '4.50 EUR; 1.50 EUR are covered by no grant.',
    })
  })

  it('only while they are in force', () => {
    const ledger = grant(
      { id: 'next', effectiveAt: day(10) },
      { id: 'gone', expiresAt: day(5), amount: '7' },
    )
    expect(balanceAt(ledger, day(2))).toMatchObject({ amount: '7.00', upcoming: '100.00' })
    expect(balanceAt(use(ledger, 6, '1'), day(6))).toMatchObject({
      amount: '0.00',
      expired: '7.00',
      uncovered: '1.00',
    })
  })
})

describe('corrections', () => {
  it('give back what was too much', () => {
    const ledger = use(use(grant({}), 2, '30'), 2, '12.25', 4)
    expect(left(ledger, day(4))).toEqual(['g1 87.75'])
    expect(last(ledger)).toMatchObject({ kind: 'correct', at: day(4) })
    expect(last(ledger)?.explanation).toBe(
      `Usage of ${day(2)} was corrected from 30.00 to 12.25 EUR (above the plan): grant g1 (priority ` +
        '1, never expires) gets back 17.75 EUR.',
    )
    expect(left(use(ledger, 2, '0', 5), day(5))).toEqual(['g1 100.00'])
  })

  it('find credits that have expired since, when they were used in time', () => {
    const expired = must(bookTime(grant({ expiresAt: day(5) }), day(6)))
    expect(last(expired)?.explanation).toBe(
      `100.00 EUR of grant g1 (offer 7) expired unused at ${day(5)}.`,
    )
    const ledger = use(expired, 4, '40', 7)
    expect(balanceAt(ledger, day(7))).toMatchObject({ burned: '40.00', expired: '60.00' })
    expect(last(ledger)).toMatchObject({ kind: 'correct' })
    expect(last(ledger)?.explanation).toContain(
      'pays 40.00 EUR; 40.00 EUR of it had expired since and were used in time',
    )
    expect(bookedBalanceAt(ledger, day(6))).toMatchObject({ burned: '0.00', expired: '100.00' })
  })

  it('let a grant of an earlier day pay what was uncovered', () => {
    const ledger = use(openLedger('EUR'), 3, '8')
    const paid = must(addGrant(ledger, makeGrant({ amount: '20' }), day(4)))
    expect(balanceAt(paid, day(4))).toMatchObject({ amount: '12.00', uncovered: '0.00' })
    const later = must(addGrant(ledger, makeGrant({ effectiveAt: day(4) }), day(4)))
    expect(balanceAt(later, day(4))).toMatchObject({ amount: '100.00', uncovered: '8.00' })
  })

  it('change nothing when a report or a grant comes twice', () => {
    const once = use(grant({}), 2, '30')
    expect(use(once, 2, '30.00').movements).toEqual(once.movements)
    expect(must(addGrant(once, makeGrant({ amount: '100.0' }), day(3))).movements).toEqual(
      once.movements,
    )
  })
})

describe('a grant that is taken back', () => {
  it('keeps what it has paid', () => {
    const used = use(grant({}), 2, '30')
    const ledger = must(
      voidGrant(used, { grantId: 'g1', reason: 'the offer was cancelled' }, day(3)),
    )
    expect(balanceAt(ledger, day(3))).toMatchObject({
      amount: '0.00',
      burned: '30.00',
      voided: '70.00',
    })
    expect(last(ledger)?.explanation).toBe(
      'The rest of grant g1 (offer 7), 70.00 EUR, was taken back: the offer was cancelled.',
    )
    const again = must(voidGrant(ledger, { grantId: 'g1', reason: 'x' }, day(4)))
    expect(again.movements).toEqual(ledger.movements)
    expect(balanceAt(use(ledger, 4, '1'), day(4)).uncovered).toBe('1.00')
  })
})

describe('what a ledger refuses, and stays as it is', () => {
  const ledger = use(grant({}), 5, '1')
  const usage = { key: 'k', at: day(5), amount: '1', reason: 'r' }
  it.each([
    [addGrant(ledger, makeGrant({ id: 'x', amount: '0' }), day(6)), 'above 0'],
    [addGrant(ledger, makeGrant({ id: 'x', amount: '1e3' }), day(6)), 'no decimal number'],
    [addGrant(ledger, makeGrant({ id: 'x', currency: 'USD' }), day(6)), 'is in USD'],
    [addGrant(ledger, makeGrant({ id: 'x', priority: 0.5 }), day(6)), 'no whole number'],
    [addGrant(ledger, makeGrant({ id: 'x', effectiveAt: '2026-03-01' }), day(6)), 'no ISO dates'],
    [addGrant(ledger, makeGrant({ id: 'x', expiresAt: day(1) }), day(6)), 'expires before'],
    [addGrant(ledger, makeGrant({ amount: '99' }), day(6)), 'with other values'],
    [reportUsage(ledger, { ...usage, amount: '-1' }, day(6)), 'at least 0'],
    [reportUsage(ledger, { ...usage, at: 'today' }, day(6)), 'no ISO date'],
    [reportUsage(ledger, { ...usage, key: 'day 5', at: day(4) }, day(6)), 'keeps the moment'],
    [reportUsage(ledger, usage, day(4)), 'no booking is earlier'],
    [bookTime(ledger, 'now'), 'no ISO date'],
    [voidGrant(ledger, { grantId: 'x', reason: '' }, day(6)), 'there is no grant x'],
  ])('%#', (booked, reason) => {
    expect(booked).toEqual({ kind: 'refused', reason: expect.stringContaining(reason) })
  })
})

describe('amounts', () => {
  it.each([
    ['1', '1.00'],
    ['007.5', '7.50'],
    ['0.000000000001', '0.000000000001'],
    ['123456789012345678.1', '123456789012345678.10'],
  ])('%s is printed as %s', (text, printed) => {
    expect(printAmount(parseAmount(text) ?? -1n)).toBe(printed)
  })

  it.each(['', '-1', '1.', '.5', '1e2', '1,5', '0.0000000000001', 'NaN', '1234567890123456789'])(
    '%s is no amount',
    (text) => {
      expect(parseAmount(text)).toBeUndefined()
    },
  )

  it('price bytes without a binary fraction, half to even', () => {
    expect(printAmount(priceOfBytes(3 * 2 ** 30, parseAmount('0.1') ?? 0n))).toBe('0.30')
    expect(priceOfBytes(2 ** 29, 1n)).toBe(0n)
    expect(priceOfBytes(2 ** 29, 3n)).toBe(2n)
  })
})

describe('the day on which credits are used up', () => {
  const days = (from: number, count: number, amount: string) =>
    Array.from({ length: count }, (_, at) => ({
      date: day(from + at).slice(0, 10),
      amount: parseAmount(amount) ?? 0n,
    }))

  it('is the first of which a part stays uncovered', () => {
    const ledger = use(grant({}), 2, '40')
    expect(findCreditsExhausted(ledger, days(3, 20, '10'))).toBe('2026-03-09')
    expect(findCreditsExhausted(ledger, days(3, 6, '10'))).toBeNull()
    expect(findCreditsExhausted(ledger, days(3, 20, '0'))).toBeNull()
    expect(findCreditsExhausted(ledger, [])).toBeNull()
  })

  it('knows what expires before and what comes', () => {
    const ledger = grant({ expiresAt: day(6) }, { id: 'g2', effectiveAt: day(8), amount: '15' })
    // The third to the fifth are paid, the sixth is not.
    expect(findCreditsExhausted(ledger, days(3, 3, '10'))).toBeNull()
    expect(findCreditsExhausted(ledger, days(3, 20, '10'))).toBe('2026-03-06')
    expect(findCreditsExhausted(ledger, days(8, 20, '10'))).toBe('2026-03-09')
    expect(findCreditsExhausted(openLedger('EUR'), days(3, 2, '1'))).toBe('2026-03-03')
  })
})
