// Formats that the product has never seen, set up by a template alone: the columns of each line are
// what a regular expression of this test reads (docs/reference/patterns.md).
import { expect, it } from 'vitest'
import { expectSuccess, post } from '../../support/clients/ingest-client.ts'
import { makeWord, sdk, searchUntil } from '../../support/clients/product-client.ts'

const LINES = 60

type Format = {
  readonly patterns: readonly string[]
  readonly line: (i: number) => string
  /** Named groups are columns: `_` for a space. One that is not there has no value. */
  readonly expression: RegExp
}

const two = (number: number) => String(number % 60).padStart(2, '0')

const FORMATS: Readonly<Record<string, Format>> = {
  'a firewall with pipes and dates of its own': {
    patterns: [
      '{date:Date,yyyy.MM.dd HH-mm-ss.SSS}|{choice:Action,DENY;ALLOW;RESET}|{word:Zone}|{ip:Sender}|{number:Sender Port}|{ip:Target}|{number:Target Port}|{number:Bytes}|{text:Rule}{eoe}',
    ],
    line: (i) =>
      `2025.03.07 11-${two(i)}-${two(i * 7)}.${100 + i}|${['DENY', 'ALLOW', 'RESET'][i % 3]}|dmz-${i % 4}|10.1.${i}.9|${1024 + i}|${i % 5 === 0 ? 'fe80::1' : `192.0.2.${i}`}|443|${i * 1500}|rule ${i % 6}: "web, in"`,
    expression:
      /^[\d.]+ [\d.-]+\|(?<Action>[A-Z]+)\|(?<Zone>[^|]+)\|(?<Sender>[^|]+)\|(?<Sender_Port>\d+)\|(?<Target>[^|]+)\|(?<Target_Port>\d+)\|(?<Bytes>\d+)\|(?<Rule>.+)$/,
  },
  'jobs, with events of several lines': {
    patterns: [
      '<{date:Date,dd MMM yyyy HH:mm:ss}> job={word:Job} [{priority:Level,OK;LATE;FAILED}] after {number:Seconds}s: {string:Report}',
    ],
    line: (i) =>
      `<07 Mar 2025 11:${two(i)}:${two(i * 11)}> job=nightly-${i % 7} [${['OK', 'LATE', 'FAILED'][i % 3]}] after ${i}.${i % 10}5s: ended ${i}${i % 3 === 2 ? `\n  step ${i}: no <room>\n\n  given up` : ''}`,
    expression:
      /^<[^>]+> job=(?<Job>\S+) \[(?<Level>[A-Z]+)\] after (?<Seconds>[\d.]+)s: (?<Report>[\s\S]+)$/,
  },
  'keys with quoted text, and a part that may be missing': {
    patterns: [
      'ts={timestamp:Time,product=1000;} dev="{text:Device}" {block,start,emptiness=true}user="{text:User}" {block,end,emptiness=true}temp={number:Temp} note="{text:Note}"{eoe}',
    ],
    line: (i) =>
      `ts=${1741345200 + i}.25 dev="pump ${i % 9}" ${i % 2 === 0 ? `user="Ann O'${i}" ` : ''}temp=-${i}.5 note="a=b; ${i} | <ok>"`,
    expression:
      /^ts=\S+ dev="(?<Device>[^"]*)" (?:user="(?<User>[^"]*)" )?temp=(?<Temp>\S+) note="(?<Note>[^"]*)"$/,
  },
}

it.each(Object.entries(FORMATS))('%s', async (_, { patterns, line, expression }) => {
  const word = makeWord('format')
  await sdk('addTemplate', { name: word, logTypes: word, patterns: patterns.join('@#@#') })
  const made = await sdk('addListener', {
    ...{ name: word, parentFolder: word, template: word, timeZone: 'UTC' },
  })
  const events = Array.from({ length: LINES }, (_, i) => line(i))
  const answer = await post(`${events.join('\n')}\n`, {
    ...{ token: String(made.token), headers: { 'content-type': 'text/plain' } },
  })
  expectSuccess(answer, LINES)
  const expected = events.map((message) => {
    const groups = Object.entries(expression.exec(message)?.groups ?? {})
    const columns = groups.map(([name, value = '']) => [name.replaceAll('_', ' '), value] as const)
    expect(columns.length).toBeGreaterThan(0)
    return { message, ...Object.fromEntries(columns) }
  })
  const names = Object.keys(expected[0] ?? {})
  const shown = names.map((name) => (name.includes(' ') ? `"${name}"` : name)).join(', ')
  const found = await searchUntil(LINES, {
    searchQuery: `* in folder.${word} | display only ${shown}`,
  })
  const read = found.rows.map((row) =>
    Object.fromEntries(names.map((name) => [name, asNumber(row[name] ?? '')])),
  )
  const wanted = expected.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, text]) => [name, asNumber(text)])),
  )
  const sorted = (rows: readonly Readonly<Record<string, unknown>>[]) =>
    [...rows].sort((a, b) => (String(a.message) < String(b.message) ? -1 : 1))
  expect(sorted(read)).toEqual(sorted(wanted))
  await searchUntil(LINES, { searchQuery: `* in type.${word}` })
})

/** `1.50` and `1.5` are one number. */
function asNumber(text: string): string {
  return /^-?\d+(\.\d+)?$/.test(text) ? String(Number(text)) : text
}
