import { expect, it } from 'vitest'
import { firedBars } from '../../../../web/console/manage/monitors/trial/fired-bars.ts'
import { printBytes, printLength } from '../../../../web/console/manage/parts/print.ts'
import { dayBars } from '../../../../web/console/manage/storage/day-bars.ts'

const FROM = '2026-11-18T10:00:00.000Z'

it('each time that a monitor would have fired is in one bar of three hours', () => {
  const at = ['2026-11-18T10:00:00.000Z', '2026-11-18T12:59:59.999Z', '2026-11-18T13:00:00.000Z']
  const bars = firedBars(
    FROM,
    [...at, '2026-11-25T10:00:00.000Z'].map((iso) => ({ at: iso })),
  )
  expect(bars).toHaveLength(56)
  const counts = bars.map(({ values }) => values[0])
  expect(counts.slice(0, 3)).toEqual([2, 1, 0])
  expect(counts.at(-1)).toBe(1)
  expect(counts.reduce((sum, count) => (sum ?? 0) + (count ?? 0), 0)).toBe(4)
})

it('days without data stand between those with some, and each policy is a part', () => {
  const day = (name: string, policy: string, bytes: number) => ({
    ...{ day: name, policy, bytes, events: 1, compactBytes: 0, goesOn: null },
  })
  const { series, bars } = dayBars([
    day('2026-11-25', 'Default', 5),
    day('2026-11-25', 'Short', 7),
    day('2026-11-01', 'Short', 3),
  ])
  expect(series).toEqual(['Default', 'Short'])
  expect(bars).toHaveLength(25)
  expect(bars[0]).toEqual({ label: '11-01', title: '2026-11-01', values: [0, 3] })
  expect(bars[1]?.values).toEqual([0, 0])
  expect(bars.at(-1)?.values).toEqual([5, 7])
  expect(dayBars([day('2026-11-25', 'Default', 5)]).bars).toHaveLength(14)
  expect(dayBars([]).bars).toEqual([])
})

it('prints sizes and lengths of time', () => {
  expect([0, 999, 1000, 1024, 1_073_741_824].map(printBytes)).toEqual([
    ...['0 B', '999 B', '0.977 KiB', '1 KiB', '1 GiB'],
  ])
  expect([0, 9_940, 59_400, 185_000, 7_800_000].map(printLength)).toEqual([
    ...['0.0 s', '9.9 s', '59 s', '3 min 5 s', '2 h 10 min'],
  ])
})
