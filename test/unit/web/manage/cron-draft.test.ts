import { describe, expect, test } from 'vitest'
import { parseCron } from '../../../../schemas/time/cron.ts'
import { cronForm } from '../../../../web/console/manage/schedule/cron-draft.ts'
import { FIRST } from '../../../../web/console/manage/schedule/schedule-draft.ts'

const form = cronForm({ isOptional: true })

describe('five fields of cron as fields of a form', () => {
  const same = [
    ['', { kind: 'never' }],
    ['* * * * *', { kind: 'every', count: '1', unit: 'm' }],
    ['*/15 * * * *', { kind: 'every', count: '15', unit: 'm' }],
    ['0 * * * *', { kind: 'every', count: '1', unit: 'h' }],
    ['0 */6 * * *', { kind: 'every', count: '6', unit: 'h' }],
    ['5 7 * * *', { kind: 'daily', time: '07:05' }],
    ['0 22 * * 6', { kind: 'weekly', weekdays: ['sat'], time: '22:00' }],
    ['0 8 * * 1,3,5', { kind: 'weekly', weekdays: ['mon', 'wed', 'fri'], time: '08:00' }],
    ['30 0 28 * *', { kind: 'monthly', day: '28', time: '00:30' }],
  ] as const
  test.each(same)('%j is read, and written again', (text, draft) => {
    const read = form.read(text)
    expect(read).toEqual({ ...FIRST, ...draft })
    if (read !== undefined) expect(form.print(read)).toBe(text)
  })

  test('days of the week in other forms mean the same', () => {
    for (const [text, days] of [
      ['0 8 * * 1-5', ['mon', 'tue', 'wed', 'thu', 'fri']],
      ['0 8 * * 7', ['sun']],
      ['0 8 * * 0,6', ['sun', 'sat']],
    ] as const) {
      const read = form.read(text)
      expect(read?.weekdays).toEqual(days)
      const written = parseCron(read === undefined ? '' : form.print(read))
      expect(written?.weekDays).toEqual(parseCron(text)?.weekDays)
    }
  })

  test.each([
    '*/7 * * * *',
    '5 * * * *',
    '*/5 8 * * *',
    '0 */5 * * *',
    '0 8 1 1 *',
    '0 8 1 * 1',
    '0 8 1,15 * *',
    '0 8-10 * * *',
    '0 8 * *',
    '*/20,5 * * * *',
    '0 */6,3 * * *',
    '*/x * * * *',
    'tomorrow',
  ])('%s stays a text', (text) => expect(form.read(text)).toBeUndefined())

  test('what is not chosen yet is kept, and no server takes it', () => {
    for (const draft of [
      { ...FIRST, kind: 'daily', time: '' },
      { ...FIRST, kind: 'weekly', weekdays: [] },
      { ...FIRST, kind: 'monthly', day: '' },
    ] as const) {
      const text = form.print(draft)
      expect(parseCron(text)).toBeUndefined()
      expect(form.read(text)).toEqual(draft)
    }
  })

  test('every step that is offered comes at even times', () => {
    for (const unit of ['m', 'h'] as const)
      for (const count of form.steps?.[unit] ?? []) {
        const cron = parseCron(form.print({ ...FIRST, kind: 'every', count, unit }))
        const times = unit === 'm' ? cron?.minutes.size : cron?.hours.size
        expect((times ?? 0) * Number(count)).toBe(unit === 'm' ? 60 : 24)
      }
  })

  test('one that must come has no never', () => {
    expect(cronForm({ isOptional: false }).kinds).not.toContain('never')
    expect(form.kinds).toContain('never')
  })
})
