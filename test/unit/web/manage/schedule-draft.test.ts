import { describe, expect, test } from 'vitest'
import { parseSchedule } from '../../../../schemas/monitors/schedule.ts'
import { FIRST, SCHEDULE_FORM } from '../../../../web/console/manage/schedule/schedule-draft.ts'

describe('a schedule as fields of a form', () => {
  test.each([
    ['never', { kind: 'never' }],
    ['every 15m', { kind: 'every', count: '15', unit: 'm' }],
    ['every 6h', { kind: 'every', count: '6', unit: 'h' }],
    ['daily 08:00', { kind: 'daily', time: '08:00' }],
    ['weekly mon,thu 23:59', { kind: 'weekly', weekdays: ['mon', 'thu'], time: '23:59' }],
    ['monthly 28 00:00', { kind: 'monthly', day: '28', time: '00:00' }],
  ] as const)('%s is read, and written again', (text, draft) => {
    const read = SCHEDULE_FORM.read(text)
    expect(read).toEqual({ ...FIRST, ...draft })
    expect(read && SCHEDULE_FORM.print(read)).toBe(text)
    expect(parseSchedule(text)).toBeDefined()
  })

  test.each(['0 8 * * 1', 'weekly someday 08:00', 'daily 08:00 09:00', 'often'])(
    '%s stays a text',
    (text) => expect(SCHEDULE_FORM.read(text)).toBeUndefined(),
  )

  test('what is not chosen yet is kept, and no server takes it', () => {
    for (const draft of [
      { ...FIRST, kind: 'every', count: '' },
      { ...FIRST, kind: 'daily', time: '' },
      { ...FIRST, kind: 'weekly', weekdays: [] },
      { ...FIRST, kind: 'monthly', day: '' },
    ] as const) {
      const text = SCHEDULE_FORM.print(draft)
      expect(SCHEDULE_FORM.read(text)).toEqual(draft)
      expect(parseSchedule(text)).toBeUndefined()
    }
  })
})
