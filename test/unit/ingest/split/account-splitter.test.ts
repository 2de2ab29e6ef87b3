import { describe, expect, test } from 'vitest'
import { CLOUDEVENTS_FORM } from '../../../../ingest/listener/inputs/cloudevents/form.ts'
import { makeAccountSplitter } from '../../../../ingest/split/account-splitter.ts'
import { type EventForm, PLAIN_FORM } from '../../../../ingest/split/event-form.ts'
import { makeSplitEvent } from '../../../../ingest/split/split-event.ts'
import { isWholeEvent } from '../../../../schemas/event-layout.ts'
import { logPathKey } from '../../../../schemas/names/log-path.ts'
import { readCases } from '../../../support/cases/read-cases.ts'
import {
  columnsOf,
  kindsOf,
  makeAccount,
  makeEventInput,
  RECEIVED_MS,
  readBack,
  readTexts,
  restOf,
  shownColumnsOf,
  splitOne,
  splitWith,
} from '../../../support/ingest/split-event.ts'

/** Runs a case of split.txt and prints the named lines. */
function runCase(input: string, labels: readonly string[], form: EventForm): string {
  const lines = input.split('\n')
  const event = lines.filter((line) => !line.startsWith('@')).join('\n')
  const settings = new Map(
    lines
      .filter((line) => line.startsWith('@'))
      .map((line) => [line.slice(1, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
  )
  const account = makeAccount(JSON.parse(settings.get('account') ?? '{}'))
  const splitter = makeAccountSplitter(account, settings.get('zone') ?? 'UTC', form)
  const out = splitWith(splitter, event, {
    hostName: settings.get('hostName') ?? '',
    peer: settings.get('peer') ?? '10.0.0.1',
  })
  expect(readBack(out, event).toString()).toBe(event)
  const texts = Object.entries(columnsOf(out)).map(([name, value]) => [name, String(value)])
  expect(shownColumnsOf(out)).toEqual(Object.fromEntries(texts))
  const kinds = [...kindsOf(out)].map(([name, [kind]]) => [name, kind])
  const printed: Record<string, string> = {
    log: logPathKey(out.folder, out.logName),
    host: out.host,
    type: out.typeWords,
    time: `${new Date(out.timestampMs).toISOString().slice(0, -1)}${String(out.timestampNanos).padStart(6, '0')}Z`,
    message: JSON.stringify(out.message),
    columns: JSON.stringify(columnsOf(out)),
    kinds: JSON.stringify(Object.fromEntries(kinds)),
    rest: JSON.stringify(restOf(out)),
    raw: isWholeEvent(out.layout) ? 'whole' : out.isStoredRaw ? 'stored' : 'rebuilt',
  }
  return labels.map((label) => `${label}: ${printed[label]}`.trimEnd()).join('\n')
}

describe.each([
  { file: 'split.txt', least: 70, form: PLAIN_FORM },
  { file: 'split-cloudevents.txt', least: 12, form: CLOUDEVENTS_FORM },
])('splitting by $file', ({ file, least, form }) => {
  const cases = readCases(file)
  test('has its cases', () => expect(cases.length).toBeGreaterThan(least))
  test.each(cases)('$name', ({ input, result }) => {
    const expected = result.split('\n').map((line) => line.trimEnd())
    const labels = expected.map((line) => line.slice(0, line.indexOf(':')))
    expect(runCase(input, labels, form)).toBe(expected.join('\n'))
  })

  test('gives equal events one layout string, whatever their values are', () => {
    const splitter = makeAccountSplitter(makeAccount(), 'UTC')
    const layouts = [
      '{"timestamp":"2024-05-01T10:00:00.123Z","message":"a","id":"29acc230-2f13-49db-9ef2","n":1,"b":true,"c":"x"}',
      '{"timestamp":"2024-05-02T10:00:00.456Z","message":"b","id":"none","n":1.50,"b":null,"c":""}',
      '{"timestamp":"2024-05-02T10:00:00.456Z","message":"\\n","id":"","n":[1,2],"b":false,"c":"é"}',
    ].map((event) => splitWith(splitter, event).layout)
    expect(new Set(layouts).size).toBe(1)
  })

  test('gives equal paths one folder array', () => {
    const splitter = makeAccountSplitter(makeAccount({ sourceSplit: 'source' }), 'UTC')
    const event = '{"message":"m","productPath":"a->b"}'
    const first = splitWith(splitter, event, { hostName: 'h1' })
    const second = splitWith(splitter, event, { hostName: 'h2' })
    expect(second.logName).not.toBe(first.logName)
    expect(second.folder).toBe(first.folder)
  })

  test('cuts names at 255 characters, and no emoji in half', () => {
    const out = splitOne(`{"message":"m","productName":"${'x'.repeat(254)}😀😀"}`)
    expect(out.logName).toBe(`${'x'.repeat(254)}😀`)
    expect(splitOne('{"message":"m"}', {}, { hostName: `${'h'.repeat(300)}` }).host).toBe(
      'h'.repeat(255),
    )
  })

  test('keeps invalid UTF-8 as bytes and shows U+FFFD', () => {
    const event = Buffer.concat([
      Buffer.from('{"message":"a'),
      Buffer.from([0xff]),
      Buffer.from('b","k'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('":"v","x":["'),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from('"]}'),
    ])
    const out = splitOne(event)
    expect(out.message).toBe('a\ufffdb')
    expect(out.isStoredRaw).toBe(true)
    expect(out.layout).toBe('r')
    expect(columnsOf(out)).toEqual({ x: '["\ufffd\ufffd\ufffd"]' })
    expect(out.size).toBe(event.length)
  })

  test('follows a change of sender from request to request', () => {
    const splitter = makeAccountSplitter(makeAccount(), 'UTC')
    const hosts = [
      { hostName: 'a' },
      { hostName: '', peer: '10.0.0.2' },
      { hostName: 'a', peer: '10.0.0.3' },
      { hostName: '', peer: '10.0.0.3' },
    ].map((sender) => splitWith(splitter, '{"message":"m"}', sender).host)
    expect(hosts).toEqual(['a', '10.0.0.2', 'a', '10.0.0.3'])
  })

  test('forgets an event before the next', () => {
    const splitter = makeAccountSplitter(
      makeAccount({ splitColumns: [{ key: 'h', isHost: true }] }),
      'UTC',
    )
    const out = makeSplitEvent()
    const split = (event: string) => {
      splitter.split(out, makeEventInput({ body: Buffer.from(event) }))
    }
    split('{"message":"m","productType":"t","h":"x","timestamp":"2030-01-01T00:00:00Z","a":1}')
    split('{"b":2}')
    expect(readTexts(out)).toMatchObject({
      typeWords: '',
      host: '10.0.0.1',
      logName: 'unknown',
      message: '',
      layout: 'w',
      timestampMs: RECEIVED_MS,
      columnCount: 1,
      rest: '\x1f2',
    })
    split('"text"')
    expect(readTexts(out)).toMatchObject({
      logName: 'unknown',
      message: 'text',
      rest: '',
      columnCount: 0,
    })
  })

  test('survives ten thousand keys, again and again with others', () => {
    const splitter = makeAccountSplitter(makeAccount(), 'UTC')
    for (let round = 0; round < 5; round++) {
      const keys = Array.from({ length: 10_000 }, (_, i) => `"k${round}_${i}":${i}`)
      const event = `{"message":"m",${keys.join(',')}}`
      const out = splitWith(splitter, event)
      expect(out.columnCount).toBe(10_000)
      expect(readBack(out, event).toString()).toBe(event)
    }
  })

  test('makes no columns of names that are many times the event', () => {
    const prefix = 'p'.repeat(990)
    const keys = Array.from({ length: 1000 }, (_, i) => `"${i}":${i}`)
    const event = `{"message":"m","${prefix}":{${keys.join()}},"z":"after"}`
    const out = splitOne(event)
    expect(Object.keys(columnsOf(out))).toEqual([
      ...Array.from({ length: 33 }, (_, i) => `${prefix}.${i}`),
      'z',
    ])
    const values = out.rest.split('\x1f').filter((value) => value !== '')
    expect(values.sort()).toEqual([...keys.map((_, i) => String(i)), 'after'].sort())
    expect(out.isStoredRaw).toBe(true)
  })

  test('survives great depth', () => {
    const deep = (depth: number) =>
      `{"message":"m","a":${'['.repeat(depth)}"v"${']'.repeat(depth)}}`
    const nested = `${'{"a":'.repeat(32)}"v"${'}'.repeat(32)}`
    expect(splitOne(deep(100_000)).rest).toBe('\x1f\x1f\x1fv')
    expect(splitOne(nested, { jsonParsingLevel: 40 }).rest).toBe('\x1fv')
    expect(columnsOf(splitOne(nested))).toEqual({ 'a.a.a': nested.slice(15, -3) })
  })

  test('takes broken text whole instead of throwing', () => {
    const broken = [
      '',
      '{',
      '{"a"',
      '{"a":',
      '{"a":1',
      '{"a":1}}',
      '{"a":tru}',
      '{"a":-}',
      '[1]',
      '7',
    ]
    for (const event of [...broken, '{"a":"\n"}', '{"a":"\\x"}', '"a', '"a" ', '{"a":"']) {
      const out = splitOne(event)
      expect([event, out.layout, out.isStoredRaw]).toEqual([event, 'w', true])
    }
  })
})
