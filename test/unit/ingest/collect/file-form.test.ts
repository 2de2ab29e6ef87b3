// A line of JSON in a file has the columns of its members, whatever their names.
import { expect, it } from 'vitest'
import { FILE_FORM } from '../../../../ingest/collect/file-form.ts'
import { makeAccountSplitter } from '../../../../ingest/split/account-splitter.ts'
import { columnsOf, makeAccount, splitWith } from '../../../support/ingest/split-event.ts'

const split = (event: object) =>
  splitWith(makeAccountSplitter(makeAccount(), 'UTC', FILE_FORM), JSON.stringify(event))

it('opens names that elsewhere choose a log like others', () => {
  const event = { message: 'm', productPath: { a: 1, b: { c: 'x' } }, productType: 'Apache' }
  const found = split(event)
  expect(found).toMatchObject({ message: 'm', folder: ['Events'], template: '', typeWords: '' })
  expect(columnsOf(found)).toEqual({
    ...{ 'productPath.a': 1, 'productPath.b.c': 'x', productType: 'Apache' },
  })
})

it('reads the time of a Windows event', () => {
  const SystemTime = '2024-01-02T03:04:05.678901Z'
  const event = { Event: { System: { TimeCreated: { '#attributes': { SystemTime } } } } }
  expect(split(event)).toMatchObject({
    ...{ timestampMs: Date.parse('2024-01-02T03:04:05.678Z'), timestampNanos: 901_000 },
  })
})
