// When monitors are due, over hours that the clock skips and shows twice.
import { describe, expect, it } from 'vitest'
import { findNextRun } from '../../../../query/monitors/evaluate/next-run.ts'
import { stepAlerts } from '../../../../query/monitors/evaluate/step-alerts.ts'
import { parseBusinessHours } from '../../../../schemas/monitors/business-hours.ts'
import { parseRule } from '../../../../schemas/monitors/rule.ts'
import { type DuePlan, duesBetween, parseSchedule } from '../../../../schemas/monitors/schedule.ts'
import { timeZone } from '../../../../schemas/time/time-zone.ts'

const plan = (schedule: string, zone = 'UTC', hours = ''): DuePlan => ({
  schedule: parseSchedule(schedule) ?? { kind: 'never' },
  zone: timeZone(zone),
  hours: parseBusinessHours(hours),
})
const at = (text: string) => Date.parse(text)
const between = (one: DuePlan, from: string, to: string) =>
  [...duesBetween(one, at(from), at(to))].map((ms) => new Date(ms).toISOString().slice(0, 16))

describe('schedules', () => {
  it('are intervals, hours of days, and cron', () => {
    expect(between(plan('every 6h'), '2026-03-01T00:00Z', '2026-03-01T13:00Z')).toEqual([
      '2026-03-01T06:00',
      '2026-03-01T12:00',
    ])
    expect(between(plan('weekly mon 08:00'), '2026-03-01T00:00Z', '2026-03-15T00:00Z')).toEqual([
      '2026-03-02T08:00',
      '2026-03-09T08:00',
    ])
    expect(between(plan('monthly 1 08:00'), '2026-03-01T09:00Z', '2026-05-15T00:00Z')).toEqual([
      '2026-04-01T08:00',
      '2026-05-01T08:00',
    ])
  })

  it('keep their hour when the clock changes', () => {
    const daily = plan('daily 08:00', 'Europe/Berlin')
    expect(between(daily, '2026-03-28T00:00Z', '2026-03-30T00:00Z')).toEqual([
      '2026-03-28T07:00',
      '2026-03-29T06:00',
    ])
  })

  it('keep to business hours, whose end is not in them', () => {
    const office = plan('every 6h', 'UTC', 'mon-fri 06:00-18:00')
    // A Friday.
    expect(between(office, '2026-03-06T00:00Z', '2026-03-09T13:00Z')).toEqual([
      '2026-03-06T06:00',
      '2026-03-06T12:00',
      '2026-03-09T06:00',
      '2026-03-09T12:00',
    ])
  })

  it.each([
    ...['every 0m', 'every 8d', 'daily 8:00', 'monthly 29 08:00', 'weekly moo 08:00', 'soon'],
    ...['weekly 08:00', 'daily mon 08:00', '60 * * * *', 'every 5 m'],
  ])('%s is none', (text) => expect(parseSchedule(text)).toBeUndefined())
})

describe('the next run', () => {
  const daily = plan('every 1h')
  const noon = at('2026-03-01T12:30Z')

  it('is the newest due time, and counts the others', () => {
    const lastDueMs = at('2026-03-01T08:00Z')
    expect(findNextRun(daily, { nowMs: noon, delayMs: 0, lastDueMs })).toEqual({
      ...{ dueMs: at('2026-03-01T12:00Z'), skipped: 3 },
      skippedFromMs: at('2026-03-01T09:00Z'),
    })
  })

  it('waits for the delay', () => {
    const lastDueMs = at('2026-03-01T11:00Z')
    expect(findNextRun(daily, { nowMs: noon, delayMs: 1_860_000, lastDueMs })).toBeUndefined()
  })

  it('goes on where the clock was set back, and does not wait for the old time', () => {
    const lastDueMs = at('2027-03-01T12:00Z')
    const now = { nowMs: at('2026-03-01T13:00Z'), delayMs: 0, lastDueMs }
    expect(findNextRun(daily, now)?.dueMs).toBe(at('2026-03-01T13:00Z'))
  })
})

describe('the flapping guard', () => {
  it('tells so many alerts of a group in an hour', () => {
    const rules = {
      isOnce: true,
      openAfter: 1,
      closeAfter: 1,
      maxAlertsPerHour: 2,
      tellsEnd: false,
    }
    let states: Parameters<typeof stepAlerts>[1] = new Map()
    const told: string[] = []
    for (let minute = 0; minute < 90; minute += 1) {
      const verdict = { isFailing: minute % 2 === 0, count: 1 }
      const next = stepAlerts(rules, states, {
        verdicts: new Map([['', verdict]]),
        dueMs: minute * 60_000,
        heldBack: () => '',
      })
      states = next.states
      for (const { kind, heldBack } of next.changes)
        if (kind === 'opened' && heldBack === '') told.push(String(minute))
    }
    expect(told).toEqual(['0', '2', '60', '62'])
  })
})

describe('rules', () => {
  it.each([
    ['exists', { kind: 'exists' }],
    ['count >= 5', { kind: 'count', operator: '>=', value: 5 }],
    [
      'column Time Taken > 1.5',
      { kind: 'column', column: 'Time Taken', operator: '>', value: 1.5 },
    ],
    ['change < -50%', { kind: 'change', operator: '<', value: -50 }],
    ['silence', { kind: 'silence' }],
  ])('%s', (text, rule) => expect(parseRule(text)).toEqual(rule))
  it.each(['count', 'count > x', 'change > 5', 'column > 5 >', 'exist'])('%s is none', (text) =>
    expect(parseRule(text)).toBeUndefined(),
  )
})
