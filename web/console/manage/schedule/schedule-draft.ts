// A schedule as a page asks for it: its kind and the parts of that. Pure.
import { DAY_NAMES } from '../../../../schemas/monitors/day-names.ts'

export const SCHEDULE_KINDS = ['never', 'every', 'daily', 'weekly', 'monthly'] as const
export type ScheduleKind = (typeof SCHEDULE_KINDS)[number]
export const UNITS = ['m', 'h', 'd'] as const
export type Unit = (typeof UNITS)[number]

export type ScheduleDraft = {
  readonly kind: ScheduleKind
  /** As it is typed. */
  readonly count: string
  readonly unit: Unit
  /** 08:00 */
  readonly time: string
  readonly weekdays: readonly string[]
  readonly day: string
}

/** What a kind begins with. */
export const FIRST = { count: '5', unit: 'm', time: '08:00', weekdays: ['mon'], day: '1' } as const

/** How a schedule is written. */
export type ScheduleForm = {
  /** Undefined: no fields can show it. */
  readonly read: (text: string) => ScheduleDraft | undefined
  readonly print: (draft: ScheduleDraft) => string
  readonly kinds: readonly ScheduleKind[]
  readonly units: readonly Unit[]
  /** The numbers that a unit may have; without it any. */
  readonly steps?: Readonly<Record<string, readonly string[]>>
}

/** Undefined: no fields can show it, such as five fields of cron. */
function readSchedule(text: string): ScheduleDraft | undefined {
  // A space at the end stands before a time that is not chosen yet.
  const whole = text.trimStart().toLowerCase()
  if (whole.trim() === 'never') return { ...FIRST, kind: 'never' }
  const every = /^every (\d*)([mhd])\s*$/.exec(whole)
  if (every !== null)
    return { ...FIRST, kind: 'every', count: every[1] ?? '', unit: unitOf(every[2]) }
  const [, kind, day, time = ''] =
    /^(daily|weekly|monthly)(?: ([^\s:]*))? ((?:\d\d:\d\d)?)\s*$/.exec(whole) ?? []
  if (kind === 'daily' && day === undefined) return { ...FIRST, kind, time }
  if (kind === 'monthly' && /^\d*$/.test(day ?? '')) return { ...FIRST, kind, day: day ?? '', time }
  if (kind !== 'weekly') return undefined
  const weekdays = (day ?? '').split(',').filter((name) => name !== '')
  return weekdays.every((name) => DAY_NAMES.includes(name))
    ? { ...FIRST, kind, weekdays, time }
    : undefined
}

function printSchedule({ kind, count, unit, time, weekdays, day }: ScheduleDraft): string {
  switch (kind) {
    case 'never':
      return kind
    case 'every':
      return `every ${count}${unit}`
    case 'daily':
      return `daily ${time}`
    case 'weekly':
      return `weekly ${weekdays.join(',')} ${time}`
    case 'monthly':
      return `monthly ${day} ${time}`
  }
}

export const SCHEDULE_FORM: ScheduleForm = {
  ...{ read: readSchedule, print: printSchedule, kinds: SCHEDULE_KINDS, units: UNITS },
}

export function unitOf(text: string | undefined): Unit {
  return UNITS.find((one) => one === text) ?? 'm'
}
