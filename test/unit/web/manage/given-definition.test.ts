import { expect, test } from 'vitest'
import {
  findTriedFault,
  givenDefinition,
} from '../../../../web/console/manage/monitors/trial/given-definition.ts'

const reading = (values: Readonly<Record<string, string>>) => (argument: string) =>
  values[argument] ?? ''

test('a new one is tried with what was said, and without what was not', () => {
  const read = reading({ query: 'error', rule: 'count > 3', owner: 'anna', description: 'mine' })
  expect(givenDefinition(read, undefined)).toEqual({
    ...{ query: 'error', rule: 'count > 3', owner: 'anna' },
  })
})

test('of a saved one an emptied argument is empty, and the others stay as they are saved', () => {
  const given = givenDefinition(reading({ query: 'error' }), 'Errors')
  expect(given).toEqual({
    ...{ name: 'Errors', query: 'error' },
    ...{ sources: '', timeZone: '', businessHours: '', groupBy: '' },
  })
})

test('a fault is that of what is tried', () => {
  expect(findTriedFault(reading({}))).toBe('owner')
  const fault = (of: string) => (argument: string) => (argument === of ? 'is wrong' : undefined)
  expect(findTriedFault(fault('rule'))).toBe('rule')
  expect(findTriedFault(fault('actions'))).toBeUndefined()
})
