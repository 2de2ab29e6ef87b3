// A length of time with a mistake in it warns, and plain text with the same words does not.
import { expect, it } from 'vitest'
import { readQuery } from '../../../../query/language/read-query.ts'
import { SAMPLE_COLUMNS, SAMPLE_LOGS } from '../../../support/data/sample-logs.ts'

const read = (text: string) =>
  readQuery({ text, visibleLogs: SAMPLE_LOGS, columns: SAMPLE_COLUMNS }).warnings

it.each([
  ['error in lats 2 hours', 'error in last 2 hours'],
  ['error ni last week', 'error in last week'],
  ['error in last weke', 'error in last week'],
  ['error in 30 minutes', 'error in last 30 minutes'],
  ['error in lat 36 hours | count', 'error in last 36 hours | count'],
  ['error n last week', 'error in last week'],
])('%s', (text, replacement) => {
  expect(read(text)).toMatchObject([{ code: 'query.searched_word', replacement }])
})

it.each([
  'error in last 2 hours',
  'seen in the week',
  'failed in a day',
  'job is late hours',
  'error on last week',
  'last week',
])('%s says nothing', (text) => {
  expect(read(text).filter(({ message }) => message.includes('in last'))).toEqual([])
})

it('a title that holds as warns', () => {
  const [warning] = read('* | count as F1 avg Status as F2')
  expect(warning).toMatchObject({ code: 'query.long_title' })
})
