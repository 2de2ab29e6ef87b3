// Events of several lines, from the body of a request to what is stored (docs/decisions/0041).
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readEvent, readLines } from '../../../../ingest/listener/inputs/logger/read-body.ts'
import { LineScanner } from '../../../../ingest/listener/scan/scan-lines.ts'
import { makeAccountSplitter } from '../../../../ingest/split/account-splitter.ts'
import { lineEnd } from '../../../../ingest/split/line-span.ts'
import { makeSplitEvent } from '../../../../ingest/split/split-event.ts'
import type { ListenerAccount } from '../../../../schemas/listener-account.ts'
import {
  columnsOf,
  makeAccount,
  makeEventInput,
  readBack,
  readTexts,
} from '../../../support/ingest/split-event.ts'

const LIMITS = { maxEvents: 6, maxEventBytes: 60, maxDepth: 4, maxColumns: 6 }
const account = makeAccount({ patterns: ['{date:Day,yyyy-MM-dd} {word:Level} {string:Text}'] })

function scan(sent: string, of: ListenerAccount | undefined = account, read = readLines) {
  const { body, scanner } = read(Buffer.from(sent), LIMITS, of)
  for (let steps = 0; !scanner.run(body.length); steps += 1) {
    if (steps > body.length) throw new Error('the scan does not end')
  }
  return { body, scanner, scanned: scanner.result() }
}

/** Events in order, '!' before a rejected one; as the writer sees them. */
function show(sent: string, of?: ListenerAccount, read = readLines): string[] | string {
  const { body, scanned } = scan(sent, of, read)
  if (scanned.kind === 'refused') return `${scanned.code} at ${scanned.index}`
  const events: string[] = []
  for (let i = 0; i < scanned.ranges.length; i += 2) {
    const start = scanned.ranges[i] ?? 0
    events.push(body.toString('utf8', start, lineEnd(body, start, scanned.ranges[i + 1] ?? 0)))
  }
  for (const { index, start, end } of scanned.rejections)
    events.splice(index, 0, `!${body.toString('utf8', start, end)}`)
  return events
}

describe('lines of an account with a pattern of several lines', () => {
  it('belong to the event before them when the pattern does not fit', () => {
    expect(show('2024-05-01 ERROR a\n\tat b\n\n\tat c\r\n2024-05-02 INFO d\n')).toEqual([
      '2024-05-01 ERROR a\n\tat b\n\n\tat c',
      '2024-05-02 INFO d',
    ])
  })

  it('are events of their own before the first that begins one', () => {
    expect(show('\tat a\n\tat b\n2024-05-01 ERROR c\n\tat d')).toEqual([
      '\tat a',
      '\tat b',
      '2024-05-01 ERROR c\n\tat d',
    ])
    expect(show('\ufeff2024-05-01 ERROR a\nb')).toEqual(['2024-05-01 ERROR a\nb'])
  })

  it('begin a further event where one would become too large, and are refused alone', () => {
    const long = 'x'.repeat(40)
    expect(
      show(`2024-05-01 E a\n${long}\n${long}\n2\n${'y'.repeat(61)}\n3\n2024-05-02 E b`),
    ).toEqual([
      `2024-05-01 E a\n${long}`,
      `${long}\n2`,
      `!${'y'.repeat(61)}`,
      '3',
      '2024-05-02 E b',
    ])
  })

  it('count as events against the limit of a request', () => {
    const event = '2024-05-01 E a\nb\nc\n'
    expect(show(event.repeat(6))).toHaveLength(6)
    expect(show(event.repeat(7))).toBe('too_many_events at 6')
  })

  it('are read as before without such a pattern', () => {
    const lines = makeAccount({ patterns: ['{date:Day,yyyy-MM-dd} {text:Text}{eoe}'] })
    for (const one of [lines, makeAccount(), makeAccount({ template: 'nginx access' })])
      expect(scan('a\nb\n', one).scanner).toBeInstanceOf(LineScanner)
    expect(scan('a\nb\n', account).scanner).not.toBeInstanceOf(LineScanner)
    expect(show('a\nb\n', lines)).toEqual(['a', 'b'])
  })

  it('do not hold up others: a line is tried with so much work, a body in slices', () => {
    const hard = makeAccount({ patterns: [`${'{text:}a'.repeat(40)}b{string:S}`] })
    const body = `${'a'.repeat(200_000)}\n`
    const limits = { ...LIMITS, maxEventBytes: 1_000_000 }
    const { scanner } = readLines(Buffer.from(body.repeat(3)), limits, hard)
    const before = process.cpuUsage().user
    let slices = 1
    while (!scanner.run(1_000_000)) slices += 1
    expect(slices).toBe(3)
    expect(process.cpuUsage().user - before).toBeLessThan(3_000_000)
  })

  it('are all there, in order, whatever they are', () => {
    const line = fc.constantFrom(
      '2024-05-01 E a',
      '2024-05-01 E',
      'b',
      '',
      '\tat c',
      'x'.repeat(50),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const events = show(lines.join('\n'))
        if (typeof events === 'string') return
        const kept = events.flatMap((event) => event.split('\n').filter((one) => one !== ''))
        expect(kept).toEqual(lines.filter((one) => one !== ''))
      }),
    )
  })

  it('are stored as one message that gives the bytes back, with the columns of the first line', () => {
    const sent = '2024-05-01 ERROR a\n\tat b\r\n\tat c'
    const { body, scanned } = scan(`${sent}\r\n`)
    if (scanned.kind === 'refused') throw new Error('refused')
    const [start = 0, rangeEnd = 0] = scanned.ranges
    const end = lineEnd(body, start, rangeEnd) ?? 0
    const out = makeSplitEvent()
    makeAccountSplitter(account, 'UTC').split(
      out,
      makeEventInput({ body, start, end, isLine: true }),
    )
    const event = readTexts(out)
    expect(event).toMatchObject({ message: sent, template: 'pattern of the listener', pattern: 1 })
    expect(columnsOf(event)).toEqual({ Level: 'ERROR', Text: 'a\n\tat b\r\n\tat c' })
    expect(new Date(event.timestampMs).toISOString()).toBe('2024-05-01T00:00:00.000Z')
    expect(readBack(event, sent).toString()).toBe(sent)
  })

  it('that were rejected are read again as one event', () => {
    expect(show('2024-05-01 E a\nb\n2024-05-01 E c', account, readEvent)).toEqual([
      '2024-05-01 E a\nb\n2024-05-01 E c',
    ])
    expect(show('x'.repeat(61), account, readEvent)).toEqual([`!${'x'.repeat(61)}`])
  })
})
