// How the arguments of monitors are written.
import { z } from 'zod'
import { textValue } from '../sdk/values.ts'
import { parseBusinessHours } from './business-hours.ts'
import { type MonitorSettings, NEW_EVENTS } from './monitor.ts'
import { parseRule } from './rule.ts'
import { parseSchedule } from './schedule.ts'

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
]
const MAX_WINDOW_MS = 31 * 86_400_000
const MAX_STEPS = 10

export const scheduleValue = textValue
  .trim()
  .toLowerCase()
  .refine(
    (text) => parseSchedule(text) !== undefined,
    'must be never, every 5m, daily 08:00, weekly mon,thu 08:00, monthly 1 08:00 or five fields of cron',
  )

export const businessHoursValue = textValue
  .trim()
  .toLowerCase()
  .refine(
    (text) => text === '' || parseBusinessHours(text) !== undefined,
    'must be days and hours such as mon-fri 08:00-18:00',
  )

export const ruleValue = textValue
  .trim()
  .refine(
    (text) => parseRule(text) !== undefined,
    'must be exists, count > 5, column <name> >= 100, change > 50%, silence, unusual, new shape or new value <column>',
  )

/** `15m: team lead, 1h: boss`; a name with a comma or quotation marks is not for it. */
export const escalationValue = textValue.transform((text, context) => {
  const steps: { afterMs: number; target: string }[] = []
  for (const part of text.split(',').filter((it) => it.trim() !== '')) {
    const match = /^([1-9]\d{0,4})([mhd])\s*:\s*(\S.*)$/i.exec(part.trim())
    const unit = UNITS.find(([name]) => name === match?.[2]?.toLowerCase())?.[1] ?? 0
    const afterMs = Number(match?.[1] ?? 0) * unit
    const isLater = afterMs >= (steps.at(-1)?.afterMs ?? 0)
    if (afterMs === 0 || afterMs > MAX_WINDOW_MS || !isLater || steps.length >= MAX_STEPS) {
      context.addIssue({
        code: 'custom',
        message: 'must be times with alert targets, such as 15m: team lead, 1h: boss',
      })
      return z.NEVER
    }
    steps.push({ afterMs, target: match?.[3] ?? '' })
  }
  return steps
})

export function printEscalation(steps: MonitorSettings['escalation']): string {
  return steps.map(({ afterMs, target }) => `${printWindow(afterMs)}: ${target}`).join(', ')
}

/** `new`, or `15m`, `1h`, `1d`. */
export const windowValue = textValue.transform((text, context): number | typeof NEW_EVENTS => {
  const given = text.trim().toLowerCase()
  if (given === NEW_EVENTS) return NEW_EVENTS
  const match = /^([1-9]\d{0,4})([mhd])$/.exec(given)
  const unit = UNITS.find(([name]) => name === match?.[2])?.[1] ?? 0
  const ms = Number(match?.[1] ?? 0) * unit
  if (ms > 0 && ms <= MAX_WINDOW_MS) return ms
  context.addIssue({ code: 'custom', message: 'must be new, or a time such as 15m, 1h or 1d' })
  return z.NEVER
})

export function printWindow(window: number | typeof NEW_EVENTS): string {
  if (window === NEW_EVENTS) return window
  const [name, ms] = UNITS.find(([, each]) => window % each === 0) ?? ['m', 60_000]
  return `${window / ms}${name}`
}

/** A moment, or how long from now: `2h`; '' for not any more. */
export const untilValue = z
  .string()
  .transform((text, context): { forMs: number } | { untilMs: number } => {
    const given = text.trim()
    if (given === '') return { untilMs: 0 }
    const match = /^([1-9]\d{0,4})([mhd])$/.exec(given)
    const unit = UNITS.find(([name]) => name === match?.[2])?.[1]
    if (match !== null && unit !== undefined) return { forMs: Number(match[1]) * unit }
    const moment = z.iso.datetime({ offset: true }).safeParse(given)
    if (moment.success) return { untilMs: Date.parse(given) }
    context.addIssue({
      code: 'custom',
      message: 'must be a time such as 2h, a moment such as 2026-03-01T00:00:00Z, or empty',
    })
    return z.NEVER
  })
