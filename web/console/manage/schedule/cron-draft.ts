// Five fields of cron as a page asks for them: the parts of a schedule that they can say. Pure.
import { DAY_NAMES } from '../../../../schemas/monitors/day-names.ts'
import { parseCron } from '../../../../schemas/time/cron.ts'
import { FIRST, type ScheduleDraft, type ScheduleForm } from './schedule-draft.ts'

/** In place of a part that is not chosen yet; the server refuses it. */
const NOT_CHOSEN = '?'

/** Steps that an hour and a day have without a rest: a step of 7 would begin anew each hour. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  m: ['1', '2', '3', '4', '5', '6', '10', '12', '15', '20', '30'],
  h: ['1', '2', '3', '4', '6', '8', '12'],
}

/** '' is never by itself. Undefined: no fields can show it, such as days of a month. */
function readCron(text: string): ScheduleDraft | undefined {
  if (text.trim() === '') return { ...FIRST, kind: 'never' }
  const fields = text.trim().split(/\s+/)
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields
  if (fields.length !== 5 || month !== '*') return undefined
  if (hour === '*' || hour.startsWith('*/') || minute.startsWith('*'))
    return day === '*' && weekday === '*' ? readEvery(minute, hour) : undefined
  const time = readTime(minute, hour)
  if (time === undefined) return undefined
  if (day === '*' && weekday === '*') return { ...FIRST, kind: 'daily', time }
  if (day === '*') {
    const weekdays = readWeekdays(weekday)
    return weekdays === undefined ? undefined : { ...FIRST, kind: 'weekly', weekdays, time }
  }
  if (weekday !== '*' || !/^(?:\d{1,2}|\?)$/.test(day)) return undefined
  return { ...FIRST, kind: 'monthly', day: day === NOT_CHOSEN ? '' : day, time }
}

function readEvery(minute: string, hour: string): ScheduleDraft | undefined {
  if (hour === '*' && minute.startsWith('*')) return every(minute, 'm')
  return minute === '0' ? every(hour, 'h') : undefined
}

function every(field: string, unit: 'm' | 'h'): ScheduleDraft | undefined {
  const step = /^\*(?:\/(\d+))?$/.exec(field)
  if (step === null) return undefined
  const [, count = '1'] = step
  return STEPS[unit]?.includes(count) ? { ...FIRST, kind: 'every', count, unit } : undefined
}

/** '' where it is not chosen. */
function readTime(minute: string, hour: string): string | undefined {
  if (minute === NOT_CHOSEN && hour === NOT_CHOSEN) return ''
  if (!/^\d{1,2}$/.test(minute) || !/^\d{1,2}$/.test(hour)) return undefined
  return `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
}

function readWeekdays(field: string): readonly string[] | undefined {
  if (field === NOT_CHOSEN) return []
  const days = parseCron(`0 0 * * ${field}`)?.weekDays
  return days && DAY_NAMES.filter((_, at) => days.has(at))
}

function printCron({ kind, count, unit, time, weekdays, day }: ScheduleDraft): string {
  if (kind === 'never') return ''
  if (kind === 'every') {
    const step = count === '1' ? '*' : `*/${count}`
    return unit === 'm' ? `${step} * * * *` : `0 ${step} * * *`
  }
  const [hour, minute] = time === '' ? [NOT_CHOSEN, NOT_CHOSEN] : time.split(':').map(Number)
  const at = `${minute} ${hour}`
  if (kind === 'daily') return `${at} * * *`
  if (kind === 'monthly') return `${at} ${day || NOT_CHOSEN} * *`
  const days = weekdays.map((name) => DAY_NAMES.indexOf(name)).join(',')
  return `${at} * * ${days || NOT_CHOSEN}`
}

/** `isOptional`: without one it never runs by itself. */
export function cronForm({ isOptional }: { readonly isOptional: boolean }): ScheduleForm {
  return {
    ...{ read: readCron, print: printCron, steps: STEPS, units: ['m', 'h'] },
    kinds: ['every', 'daily', 'weekly', 'monthly', ...(isOptional ? (['never'] as const) : [])],
  }
}
