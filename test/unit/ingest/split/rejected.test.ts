import { expect, test } from 'vitest'
import { splitRejected } from '../../../../ingest/split/rejected.ts'
import { makeSplitEvent } from '../../../../ingest/split/split-event.ts'
import {
  columnsOf,
  readBack,
  readTexts,
  shownColumnsOf,
} from '../../../support/ingest/split-event.ts'

test('a rejected event becomes one of System->rejected, with reason and bytes', () => {
  const body = Buffer.from('xx{"a":\xff}yy', 'latin1')
  const split = makeSplitEvent()
  split.columnCount = 7
  split.typeWords = 'old'
  splitRejected(split, {
    body,
    start: 2,
    end: 9,
    reason: 'invalid_json',
    form: '',
    accountName: 'Shop',
    receivedMs: 1000,
    hostName: '',
    peer: '::ffff:10.0.0.9',
  })
  const out = readTexts(split)
  expect(out).toMatchObject({
    folder: ['System'],
    logName: 'rejected',
    typeWords: '',
    host: '10.0.0.9',
    timestampMs: 1000,
    timestampNanos: 0,
    message: '{"a":\ufffd}',
    rest: '\x1finvalid_json\x1fShop',
    isStoredRaw: true,
    layout: 'r',
    columnCount: 2,
    size: 7,
  })
  expect(columnsOf(out)).toEqual({ reason: 'invalid_json', account: 'Shop' })
  expect(shownColumnsOf(out)).toEqual(columnsOf(out))
  expect(readBack(out, body.subarray(2, 9)).equals(body.subarray(2, 9))).toBe(true)
})

test('one that came as a line of text says so, so that it can be taken in again as one', () => {
  const split = makeSplitEvent()
  const body = Buffer.from('{"a":1}\n')
  const sender = { receivedMs: 1000, hostName: 'h', peer: '', accountName: 'Shop' }
  splitRejected(split, { body, start: 0, end: 7, reason: 'too_large', form: 'lines', ...sender })
  const out = readTexts(split)
  expect(columnsOf(out)).toEqual({ reason: 'too_large', account: 'Shop', form: 'lines' })
  expect(shownColumnsOf(out)).toEqual({ reason: 'too_large', account: 'Shop', form: 'lines' })
})
