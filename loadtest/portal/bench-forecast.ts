// How long a forecast, a change of the credits and the alerts take:
// `node --import tsx loadtest/portal/bench-forecast.ts`.
import { performance } from 'node:perf_hooks'
import { addGrant, type Booked, reportUsage } from '../../portal/license/credits/book.ts'
import { type Ledger, openLedger } from '../../portal/license/credits/ledger.ts'
import { forecastUsage } from '../../portal/license/forecast/forecast-usage.ts'
import { makeSeries, TUNED } from '../../test/support/series/families.ts'

const FROM = '2026-01-01'
const FROM_MOMENT = `${FROM}T00:00:00Z`
const DAY_MS = 86_400_000
const dateOf = (day: number) => new Date(Date.parse(FROM) + day * DAY_MS).toISOString()

function measure(name: string, count: number, run: (at: number) => void): void {
  for (let at = 0; at < count / 4; at++) run(at)
  const times = Array.from({ length: count }, (_, at) => {
    const start = performance.now()
    run(at)
    return performance.now() - start
  }).sort((a, b) => a - b)
  const of = (share: number) => (times[Math.floor(share * (count - 1))] ?? 0).toFixed(2)
  console.log(`${name}: median ${of(0.5)} ms, p99 ${of(0.99)} ms, longest ${of(1)} ms`)
}

function must(booked: Booked): Ledger {
  if (booked.kind === 'refused') throw new Error(booked.reason)
  return booked.ledger
}

for (const [days, ahead] of [
  [30, 30],
  [90, 30],
  [200, 30],
  [90, 365],
] as const) {
  const series = TUNED.flatMap((family) => [1, 2, 3].map((seed) => makeSeries(family, seed, days)))
  const period = { from: FROM, to: dateOf(days + ahead - 1).slice(0, 10) }
  measure(`forecast of ${ahead} days from ${days}`, 500, (at) => {
    forecastUsage({ from: FROM, days: series[at % series.length] ?? [] }, period)
  })
}

for (const [name, count, stepMs] of [
  ['a year of days', 365, DAY_MS],
  ['a year of hours', 8760, DAY_MS / 24],
] as const) {
  const momentOf = (at: number) => new Date(Date.parse(FROM) + at * stepMs).toISOString()
  const grants = Array.from({ length: 12 }, (_, at) => ({
    id: `g${at}`,
    amount: '1000',
    currency: 'EUR',
    priority: at % 3,
    effectiveAt: dateOf(at * 30),
    expiresAt: dateOf(at * 30 + 200),
    source: 'offer',
  }))
  const usage = Array.from({ length: count }, (_, at) => {
    return { key: `${at}`, at: momentOf(at), amount: '1.25', reason: 'volume' }
  })
  const granted = grants.reduce(
    (ledger, grant) => must(addGrant(ledger, grant, FROM_MOMENT)),
    openLedger('EUR'),
  )
  const ledger = { ...granted, usage, bookedAt: momentOf(count) }
  measure(`a report to credits with ${name}`, 100, (at) => {
    const late = { key: `late ${at}`, at: momentOf(count - 10), amount: '3', reason: 'volume' }
    must(reportUsage(ledger, late, momentOf(count)))
  })
}
