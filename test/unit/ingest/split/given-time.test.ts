// A time that an input found beside the event, as a column of a database: what the store cannot
// hold is none.
import { expect, it } from 'vitest'
import { readRowTime } from '../../../../ingest/collect/tasks/query/row-time.ts'
import { makeAccountSplitter } from '../../../../ingest/split/account-splitter.ts'
import { makeSplitEvent } from '../../../../ingest/split/split-event.ts'
import { makeAccount, makeEventInput, RECEIVED_MS } from '../../../support/ingest/split-event.ts'

it.each([
  ['2024-01-02 03:04:05.678901+00', Date.parse('2024-01-02T03:04:05.678Z'), 901_000],
  ['1970-01-01', 0, 0],
  ['1969-12-31 23:59:59.999999+00', RECEIVED_MS, 0],
  // What many programs write for none.
  ['0001-01-01', RECEIVED_MS, 0],
  ['9999-12-31 23:59:59+00', RECEIVED_MS, 0],
  ['infinity', RECEIVED_MS, 0],
  ['0044-03-15 BC', RECEIVED_MS, 0],
])('takes %s', (text, timestampMs, timestampNanos) => {
  const out = makeSplitEvent()
  const body = Buffer.from('{"message":"m"}')
  const splitter = makeAccountSplitter(makeAccount(), 'UTC')
  splitter.split(out, makeEventInput({ body, given: readRowTime(text) }))
  expect(out).toMatchObject({ timestampMs, timestampNanos })
})
