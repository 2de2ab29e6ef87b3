// Lines of real senders (test/fixtures, with their licences).
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { makeAccountSplitter } from '../../../../ingest/split/account-splitter.ts'
import { columnsOf, makeAccount, readBack, splitWith } from '../../../support/ingest/split-event.ts'

function lines(file: string): string[] {
  const text = readFileSync(new URL(`../../../fixtures/${file}`, import.meta.url), 'utf8')
  return text.split('\n').filter((line) => line !== '')
}

const sources = [
  { file: 'aws-cloudtrail.ndjson', messageKeys: ['eventName'], timeKey: null },
  { file: 'nginxplus-status.ndjson', messageKeys: ['address'], timeKey: null },
  { file: 'windows-sysmon.ndjson', messageKeys: ['EventData'], timeKey: 'TimeGenerated' },
  { file: 'zeek-apt29.ndjson', messageKeys: ['@stream'], timeKey: null },
]

describe('events of real senders', () => {
  test.each(sources)('$file is rebuilt byte for byte', ({ file, messageKeys, timeKey }) => {
    for (const jsonParsingLevel of [1, 3, 9]) {
      const account = makeAccount({ messageKeys, timeKey, jsonParsingLevel })
      const splitter = makeAccountSplitter(account, 'UTC')
      for (const line of lines(file)) {
        const out = splitWith(splitter, line)
        expect(out.isStoredRaw).toBe(false)
        expect(readBack(out, line).toString()).toBe(line)
        expect(out.timestampMs).toBeLessThan(Date.UTC(2024, 0, 1))
      }
    }
  })

  test.each(sources)('$file without its message key is taken whole', ({ file }) => {
    const splitter = makeAccountSplitter(makeAccount({ messageKeys: ['none'] }), 'UTC')
    for (const line of lines(file)) {
      expect(splitWith(splitter, line)).toMatchObject({ layout: 'w', message: '' })
    }
  })

  test('an access log in a wrapper keeps its line and finds its log', () => {
    const splitter = makeAccountSplitter(makeAccount(), 'UTC')
    const layouts = new Set<string>()
    for (const line of lines('apache-access.log')) {
      const event = JSON.stringify({ message: line, productName: 'apache' })
      const out = splitWith(splitter, event)
      expect(out).toMatchObject({ message: line, logName: 'apache', columnCount: 0 })
      expect(readBack(out, event).toString()).toBe(event)
      layouts.add(out.layout)
    }
    expect(layouts.size).toBe(1)
  })

  test('CloudTrail: nested columns, times of the right instant', () => {
    const account = makeAccount({ messageKeys: ['eventName'] })
    const [first = ''] = lines('aws-cloudtrail.ndjson')
    const out = splitWith(makeAccountSplitter(account, 'UTC'), first)
    expect(new Date(out.timestampMs).toISOString()).toBe('2023-07-10T11:42:36.000Z')
    expect(columnsOf(out)).toMatchObject({
      'userIdentity.userName': 'benjamin',
      'additionalEventData.bytesTransferredOut': 375,
      readOnly: true,
    })
  })

  test('Zeek: float seconds keep their digits', () => {
    const [first = ''] = lines('zeek-apt29.ndjson')
    const out = splitWith(
      makeAccountSplitter(makeAccount({ messageKeys: ['@stream'] }), 'UTC'),
      first,
    )
    expect([out.timestampMs, out.timestampNanos]).toEqual([1588205199824, 370000])
  })
})
