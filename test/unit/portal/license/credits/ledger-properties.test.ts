import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAmount, readAmount } from '../../../../../portal/license/credits/amount.ts'
import {
  type Balance,
  balanceAt,
  bookedBalanceAt,
  foldMovements,
} from '../../../../../portal/license/credits/balance.ts'
import {
  addGrant,
  type Booked,
  bookTime,
  reportUsage,
  voidGrant,
} from '../../../../../portal/license/credits/book.ts'
import { type Ledger, openLedger } from '../../../../../portal/license/credits/ledger.ts'
import { spendCredits } from '../../../../support/reference/credits.ts'
import { series } from '../../../../support/run/tier.ts'

const START = Date.parse('2026-03-01T00:00:00Z')
const HOURS = 40
const moment = (hour: number) => new Date(START + hour * 3_600_000).toISOString()

type Fact =
  | {
      kind: 'grant'
      id: string
      units: number
      priority: number
      from: number
      length: number | null
    }
  | { kind: 'usage'; hour: number; units: number }
  | { kind: 'void'; id: string }
  | { kind: 'time' }

const id = fc.constantFrom('a', 'b', 'c', 'd')
const fact: fc.Arbitrary<Fact> = fc.oneof(
  fc.record({
    kind: fc.constant('grant' as const),
    id,
    units: fc.integer({ min: 1, max: 30 }),
    priority: fc.integer({ min: 0, max: 2 }),
    from: fc.integer({ min: 0, max: HOURS }),
    length: fc.option(fc.integer({ min: 1, max: 30 })),
  }),
  fc.record({
    kind: fc.constant('usage' as const),
    hour: fc.integer({ min: 0, max: HOURS }),
    units: fc.integer({ min: 0, max: 20 }),
  }),
  fc.record({ kind: fc.constant('void' as const), id }),
  fc.record({ kind: fc.constant('time' as const) }),
)

/** Hours between a fact and the next. */
const history = fc.array(fc.tuple(fact, fc.integer({ min: 0, max: 4 })), { maxLength: 25 })

function apply(ledger: Ledger, fact: Fact, at: string): Booked {
  switch (fact.kind) {
    case 'grant':
      return addGrant(ledger, toGrant(fact), at)
    case 'usage':
      return reportUsage(ledger, toUsage(fact), at)
    case 'void':
      return voidGrant(ledger, { grantId: fact.id, reason: 'by mistake' }, at)
    case 'time':
      return bookTime(ledger, at)
  }
}

function toGrant({ id, units, priority, from, length }: Fact & { kind: 'grant' }) {
  return {
    id,
    amount: `${units}`,
    currency: 'EUR',
    priority,
    effectiveAt: moment(from),
    expiresAt: length === null ? null : moment(from + length),
    source: 'offer 7',
  }
}

function toUsage({ hour, units }: Fact & { kind: 'usage' }) {
  return { key: `hour ${hour}`, at: moment(hour), amount: `${units}`, reason: 'volume' }
}

const hourOf = (at: string) => (Date.parse(at) - START) / 3_600_000

function voidedHour({ voided }: Ledger, id: string): number {
  const found = voided.find(({ grantId }) => grantId === id)
  return found ? hourOf(found.at) : Infinity
}

/** A refused change leaves the ledger; facts after one another, `end` the last hour. */
function run(facts: readonly (readonly [Fact, number])[]): { ledgers: Ledger[]; end: number } {
  const ledgers = [openLedger('EUR')]
  let hour = 0
  for (const [fact, wait] of facts) {
    hour += wait
    const last = ledgers[ledgers.length - 1] ?? openLedger('EUR')
    const booked = apply(last, fact, moment(hour))
    ledgers.push(booked.kind === 'booked' ? booked.ledger : last)
  }
  return { ledgers, end: hour }
}

function expectSound(balance: Balance): void {
  const units = (text: string) => {
    const amount = parseAmount(text)
    if (amount === undefined) throw new Error(`${text} is below zero`)
    return amount
  }
  expect(
    units(balance.granted) - units(balance.burned) - units(balance.expired) - units(balance.voided),
  ).toBe(units(balance.amount) + units(balance.upcoming))
  units(balance.uncovered)
  for (const it of balance.grants)
    expect(units(it.available) + units(it.burned) + units(it.expired) + units(it.voided)).toBe(
      units(it.grant.amount),
    )
}

describe('the ledger of credits', () => {
  it('has grants - burn - expired - voided = balance at every moment, never below zero', () => {
    fc.assert(
      fc.property(history, (facts) => {
        const { ledgers } = run(facts)
        for (const ledger of ledgers) {
          for (let hour = 0; hour <= 2 * HOURS; hour += 9) {
            expectSound(balanceAt(ledger, moment(hour)))
            expectSound(bookedBalanceAt(ledger, moment(hour)))
          }
        }
      }),
      { numRuns: 150 },
    )
  })

  it('books what holds: movements add up to the balance, each to zero, and none is ever changed', () => {
    fc.assert(
      fc.property(history, (facts) => {
        const { ledgers } = run(facts)
        for (const [at, ledger] of ledgers.entries()) {
          const before = ledgers[at - 1]?.movements ?? []
          expect(ledger.movements.slice(0, before.length)).toEqual(before)
          const now = ledger.bookedAt
          if (now !== null) expect(bookedBalanceAt(ledger, now)).toEqual(balanceAt(ledger, now))
          for (const { entries, explanation } of ledger.movements.slice(before.length)) {
            expect(entries.reduce((sum, { amount }) => sum + readAmount(amount), 0n)).toBe(0n)
            expect(entries.length).toBeGreaterThan(1)
            expect(explanation).toMatch(/^[A-Z0-9].*EUR.*\.$/)
            expect(explanation).not.toMatch(/undefined|null|NaN|\. \.$/)
          }
        }
      }),
      { numRuns: series(150, 300) },
    )
  })

  it('spends as the naive model does, one unit at a time', () => {
    fc.assert(
      fc.property(history, (facts) => {
        const { ledgers, end } = run(facts)
        const ledger = ledgers[ledgers.length - 1] ?? openLedger('EUR')
        const expected = spendCredits(
          ledger.grants.map((grant) => ({
            id: grant.id,
            units: Number(grant.amount),
            priority: grant.priority,
            from: hourOf(grant.effectiveAt),
            until: grant.expiresAt === null ? Infinity : hourOf(grant.expiresAt),
            voided: voidedHour(ledger, grant.id),
          })),
          ledger.usage.map(({ at, amount }) => ({ at: hourOf(at), units: Number(amount) })),
        )
        const balance = balanceAt(ledger, moment(end))
        expect(Number(balance.uncovered)).toBe(expected.uncovered)
        for (const { grant, burned, available, expired, voided } of balance.grants) {
          expect(Number(burned)).toBe(expected.burned[grant.id])
          expect(Number(available) + Number(expired) + Number(voided)).toBe(expected.left[grant.id])
        }
      }),
      { numRuns: series(150, 300) },
    )
  })

  it('comes to the same balance in whatever order reports arrive', () => {
    const grants = fc.uniqueArray(fact, {
      selector: (it) =>
        it.kind === 'grant' ? it.id : it.kind === 'usage' ? `hour ${it.hour}` : '',
      maxLength: 14,
    })
    const shuffled = grants
      .map((facts) => facts.filter(({ kind }) => kind === 'grant' || kind === 'usage'))
      .chain((facts) =>
        fc.tuple(
          fc.constant(facts),
          fc.shuffledSubarray(facts, { minLength: facts.length, maxLength: facts.length }),
          fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 14, maxLength: 14 }),
        ),
      )
    fc.assert(
      fc.property(shuffled, ([facts, others, waits]) => {
        const balanceOf = (list: readonly Fact[]) => {
          const { ledgers } = run(list.map((it, at) => [it, waits[at] ?? 0]))
          const balance = balanceAt(ledgers[ledgers.length - 1] ?? openLedger('EUR'), moment(90))
          const grants = [...balance.grants].sort((a, b) => (a.grant.id < b.grant.id ? -1 : 1))
          return { ...balance, grants }
        }
        expect(balanceOf(others)).toEqual(balanceOf(facts))
      }),
      { numRuns: series(150, 300) },
    )
  })

  it('gives the same bytes for the same history, also through JSON', () => {
    fc.assert(
      fc.property(history, (facts) => {
        const [first, second] = [run(facts).ledgers, run(facts).ledgers]
        expect(JSON.stringify(second)).toBe(JSON.stringify(first))
        const last = first[first.length - 1] ?? openLedger('EUR')
        const kept: Ledger = JSON.parse(JSON.stringify(last))
        expect(foldMovements(kept.movements)).toEqual(foldMovements(last.movements))
        expect(JSON.stringify(balanceAt(kept, moment(90)))).toBe(
          JSON.stringify(balanceAt(last, moment(90))),
        )
      }),
      { numRuns: 100 },
    )
  })
})
