import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EventAnswer } from '../../../schemas/search-json/answers.ts'
import { foldEqual, keyOf } from '../../../web/console/search/events/fold-equal.ts'
import { shownValue } from '../../../web/console/search/events/shown-value.ts'

type Said = Pick<EventAnswer, 'message' | 'host' | 'log' | 'folder' | 'columns'>

const text = fc.constantFrom('a', 'b')
const said: fc.Arbitrary<Said> = fc.record({
  ...{ message: text, host: text, log: text, folder: text },
  columns: fc.dictionary(fc.constantFrom('level', 'city'), fc.constantFrom('ERROR', 'info', '')),
})
const events = fc
  .array(said, { maxLength: 12 })
  .map((all) => all.map((one, id) => ({ ...one, id: String(id) }) as EventAnswer))

describe('lines that say the same', () => {
  test('are one line exactly where neighbours have the same key', () => {
    fc.assert(
      fc.property(events, fc.subarray(['city', 'folder']), fc.nat(11), (all, columns, apart) => {
        const kept = all[apart]
        const unfolded = new Set(kept === undefined ? [] : [keyOf(kept, columns)])
        const naive: string[][] = []
        for (const [at, event] of all.entries()) {
          const before = all[at - 1]
          const key = keyOf(event, columns)
          const isNew = before === undefined || keyOf(before, columns) !== key || unfolded.has(key)
          if (isNew) naive.push([event.id])
          else naive.at(-1)?.push(event.id)
        }
        const folded = foldEqual(all, columns, unfolded)
        expect(folded.map(({ event, count, oldest }) => [event.id, count, oldest.id])).toEqual(
          naive.map((ids) => [ids[0], ids.length, ids.at(-1)]),
        )
      }),
    )
  })
})

test('a column with a name that every object has is shown as any other', () => {
  const event = { source: 's', folder: 'f', columns: { level: 'info' } } as unknown as EventAnswer
  const names = ['level', 'constructor', '__proto__', 'toString']
  expect(names.map((name) => shownValue(event, name))).toEqual(['info', '', '', ''])
})
