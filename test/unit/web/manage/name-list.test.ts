import fc from 'fast-check'
import { expect, it } from 'vitest'
import { listValue } from '../../../../schemas/sdk/values.ts'
import { printNames, readNames } from '../../../../web/console/manage/objects/name-list.ts'

const name = fc.constantFrom('desk', 'a, b', '[x]', 'on call', '"')

it('names are read back as they were printed, here and by the server', () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 4 }), (names) => {
      const text = printNames(names)
      expect(readNames(text)).toEqual(names)
      expect(listValue.parse(text)).toEqual(names)
    }),
  )
})

it('what is typed by half is no list yet', () => {
  expect(readNames('["desk", ')).toEqual([])
  expect(readNames(' desk , ,boss')).toEqual(['desk', 'boss'])
})
