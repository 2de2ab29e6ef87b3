// The built-in templates on real lines (test/fixtures/README.md), each column compared with another
// reading of the same lines: a regular expression, or a cut at tabs and spaces.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  type VerifiedEvent,
  verifyPatterns,
} from '../../../../ingest/patterns/samples/verify-patterns.ts'
import { BUILT_IN_TEMPLATES } from '../../../../schemas/templates/built-in-templates.ts'
import { findTemplate } from '../../../../schemas/templates/template.ts'

const NOW_MS = Date.UTC(2026, 10, 24)

function readLines(file: string): string[] {
  const text = readFileSync(`test/fixtures/${file}`, 'utf8')
  return text.split(/\r?\n/).filter((line) => line !== '')
}

function eventsOf(types: string, lines: readonly string[]): readonly VerifiedEvent[] {
  const template = findTemplate(BUILT_IN_TEMPLATES, types)
  return verifyPatterns(template?.patterns ?? [], lines.join('\n'), NOW_MS).events
}

/** Texts of the columns, each list in order of the events; '' where an event has none. */
function columnsOf(events: readonly VerifiedEvent[], names: readonly string[]): string[][] {
  return events.map(({ columns }) =>
    names.map((name) => columns.find((column) => column.name === name)?.text ?? ''),
  )
}

/** What a regular expression finds. */
function groupsOf(lines: readonly string[], expression: RegExp): string[][] {
  return lines.map((line) =>
    (expression.exec(line)?.slice(1) ?? ['no match']).map((it) => it ?? ''),
  )
}

const ACCESS =
  /^(\S+) (\S+) (\S+) \[([^\]]+)\] "(\S+) ([^ ?]*)(?:\?(\S*))? (\S+)" (\d+) (?:(\d+)|-) "([^"]*)" "(.*)"$/
const ACCESS_NAMES = [
  ...['Remote IP', 'Ident', 'User', 'Date', 'Method', 'URL', 'Query', 'Protocol', 'Status'],
  ...['Bytes Sent', 'Referer', 'User Agent'],
]
const SYSLOG = /^(\w{3} +\d+ [\d:.]+) (\S+) ([^ []+?)(?:\[(\d+)\])?: (.*)$/

const FILES: readonly (readonly [
  file: string,
  types: string,
  names: readonly string[],
  expression: RegExp,
])[] = [
  ['logs/apache-access.log', 'httpd access', ACCESS_NAMES, ACCESS],
  ['apache-access.log', 'nginx access', ACCESS_NAMES, ACCESS],
  [
    ...(['logs/apache-error.log', 'httpd,error'] as const),
    ['Date', 'Module', 'Level', 'PID', 'TID', 'Remote IP', 'Remote Port', 'Message'],
    /^\[(\w{3} \w{3} \d\d [\d:.]+ \d{4})\] \[(?:(\w*):)?(\w+)\](?: \[pid (\d+)(?::tid (\d+))?\])? (?:\[client ([\d.]+)(?::(\d+))?\] )?(.*)$/,
  ],
  [
    ...(['logs/nginx-error.log', 'nginx error'] as const),
    ['Date', 'Level', 'PID', 'TID', 'Connection', 'Message', 'Remote IP', 'Server', 'Method'],
    /^(\S+ \S+) \[(\w+)\] (\d+)#(\d+): \*(\d+) (.*?), client: ([^,]+), server: ([^,]*), request: "(\S+) /,
  ],
  [
    ...(['logs/nginx-error.log', 'nginx error'] as const),
    ['URL', 'Query', 'Protocol', 'Upstream', 'Host', 'Referer'],
    /request: "\S+ ([^ ?]*)\?(\S*) (\S+)", upstream: "([^"]*)", host: "([^"]*)"(?:, referrer: "([^"]*)")?$/,
  ],
  ['logs/syslog-3164.log', 'rfc3164', ['Date', 'Host', 'Program', 'PID', 'Message'], SYSLOG],
  [
    'logs/linux-auth.log',
    'linux auth',
    ['Date', 'Host', 'Program', 'PID'],
    /^(\w{3} +\d+ [\d:.]+) (\S+) ([^ []+?)(?:\[(\d+)\])?: /,
  ],
  [
    ...(['logs/spring-boot.log', 'java log4j'] as const),
    ['Date', 'Level', 'Thread', 'Logger', 'Message'],
    /^(\S+) (\w+) \[(.*?) *\] (\S+) +: (.*)$/,
  ],
  [
    ...(['logs/log4j.log', 'log4j'] as const),
    ['Date', 'Level', 'Logger', 'Message'],
    /^(\S+ \S+) (\w+) (\S+): (.*)$/,
  ],
  [
    ...(['logs/cri.log', 'kubernetes cri'] as const),
    ['Date', 'Stream', 'Part', 'Message'],
    /^(\S+) (\S+) (\S+) (.*?) *$/,
  ],
  [
    ...(['logs/klog.log', 'klog'] as const),
    ['Level', 'Date', 'Thread', 'Source', 'Line', 'Message'],
    /^(\w)(\d{4} \S+) +(\d+) (\S+):(\d+)\] (.*)$/,
  ],
]

describe('the built-in templates', () => {
  it.each(FILES)('read %s as %s', (file, types, names, expression) => {
    const lines = readLines(file)
    const events = eventsOf(types, lines)
    expect(events.every(({ pattern }) => pattern > 0)).toBe(true)
    expect(columnsOf(events, names)).toEqual(groupsOf(lines, expression))
  })

  it('reads IIS W3C as its own #Fields say', () => {
    const lines = readLines('logs/iis-w3c.log')
    const fields =
      lines
        .find((line) => line.startsWith('#Fields: '))
        ?.slice(9)
        .split(' ') ?? []
    const data = lines.filter((line) => !line.startsWith('#'))
    const events = eventsOf('iis', lines)
    expect(events.every(({ pattern }) => pattern > 0)).toBe(true)
    const rows = events.filter(({ columns }) => columns[0]?.name !== 'Directive')
    expect(rows).toHaveLength(data.length)
    const wanted: Readonly<Record<string, string>> = {
      ...{ 'Local IP': 's-ip', Method: 'cs-method', URL: 'cs-uri-stem', 'Remote IP': 'c-ip' },
      ...{ 'User Agent': 'cs(User-Agent)', Status: 'sc-status', 'Time Taken': 'time-taken' },
      ...{ 'Bytes Sent': 'sc-bytes', 'Bytes Received': 'cs-bytes', Port: 's-port' },
    }
    expect(columnsOf(rows, Object.keys(wanted))).toEqual(
      data.map((line) =>
        Object.values(wanted).map((field) => line.split(' ')[fields.indexOf(field)]),
      ),
    )
  })

  it.each([
    [
      ...(['logs/zeek-conn.log', 20] as const),
      { UID: 'uid', 'Remote IP': 'id.orig_h', 'Local Port': 'id.resp_p', Protocol: 'proto' },
      { Duration: 'duration', 'Bytes Sent': 'resp_bytes', State: 'conn_state', History: 'history' },
    ],
    [
      ...(['logs/zeek-http.log', 20] as const),
      { UID: 'uid', 'Remote IP': 'id.orig_h', 'Local IP': 'id.resp_h', Method: 'method' },
      { Host: 'host', Referer: 'referrer', Status: 'status_code', 'User Agent': 'user_agent' },
    ],
  ])('reads %s as its own #fields say', (file, least, some, more) => {
    const lines = readLines(file)
    const fields =
      lines
        .find((line) => line.startsWith('#fields\t'))
        ?.slice(8)
        .split('\t') ?? []
    const data = lines.filter((line) => !line.startsWith('#'))
    expect(data.length).toBeGreaterThan(least)
    const events = eventsOf('zeek', data)
    const wanted = { ...some, ...more }
    expect(columnsOf(events, Object.keys(wanted))).toEqual(
      data.map((line) =>
        Object.values(wanted).map((field) => {
          const text = line.split('\t')[fields.indexOf(field)] ?? ''
          const isNumber = ['duration', 'resp_bytes', 'status_code'].includes(field)
          return isNumber && text === '-' ? '' : text
        }),
      ),
    )
    // Seconds with their fraction, as milliseconds.
    expect(events.map(({ columns }) => columns[0]?.time)).toEqual(
      data.map((line) => new Date(Math.floor(Number(line.split('\t')[0]) * 1000)).toISOString()),
    )
  })

  it('reads RFC 5424, but for a line that lacks one of its fields', () => {
    const lines = readLines('logs/syslog-5424.log')
    const events = eventsOf('rfc5424', lines)
    expect(events.filter(({ pattern }) => pattern === 0).map(({ line }) => line)).toEqual([3])
    const fitting = events.filter(({ pattern }) => pattern > 0)
    const names = ['Facility and Severity', 'Version', 'Date', 'Host', 'Program', 'PID']
    expect(columnsOf(fitting, names)).toEqual(
      groupsOf(
        lines.filter((_, i) => i !== 2),
        /^<(\d+)>(\d) (\S+) (\S+) (\S+) (\S+) /,
      ),
    )
    expect(columnsOf(fitting, ['Structured Data', 'Message']).at(-1)).toEqual([
      ...['meta sequenceId=10', 'BOMStack unit 3 Power supply 2 is down'],
    ])
    expect(fitting[0]?.columns.find(({ name }) => name === 'Date')?.time).toBe(
      '2016-11-14T08:49:23.000Z',
    )
  })

  it('reads what an authentication log says of users', () => {
    const events = eventsOf('auth', readLines('logs/linux-auth.log'))
    const users = columnsOf(events, ['User', 'Result', 'Command']).filter(([user]) => user !== '')
    expect(users).toEqual([
      ['zjj', 'opened', ''],
      ['zjj', 'closed', ''],
      ['root', 'opened', ''],
      ['root', 'closed', ''],
      ['timstack', '', '/usr/bin/tail /var/log/messages'],
    ])
  })

  it('makes one event of a stack trace', () => {
    const lines = readLines('logs/java-trace.log')
    const events = eventsOf('java stacktrace', [...lines, ...lines])
    expect(events.map(({ line }) => line)).toEqual([1, 1 + lines.length])
    expect(columnsOf(events, ['Thread Name', 'Exception', 'Message'])[1]).toEqual([
      ...['main', 'java.lang.RuntimeException'],
      ['Something has gone wrong, aborting!', ...lines.slice(1)].join('\n'),
    ])
  })

  it.each([
    ['logs/docker.log', 'docker'],
    ['aws-cloudtrail.ndjson', 'cloudtrail'],
    ['windows-sysmon.ndjson', 'windows event'],
    ['zeek-apt29.ndjson', 'zeek'],
  ])('reads the keys of %s as columns', (file, types) => {
    const lines = readLines(file)
    const events = eventsOf(types, lines)
    expect(events).toHaveLength(lines.length)
    for (const [i, { columns }] of events.entries()) {
      const object: Record<string, unknown> = JSON.parse(lines[i] ?? '')
      const keys = Object.entries(object).flatMap(([key, value]) =>
        ['string', 'number', 'boolean'].includes(typeof value) && value !== '' ? [key] : [],
      )
      const shown = columns.map(({ name }) => name)
      expect(keys.length).toBeGreaterThan(1)
      expect(keys.filter((key) => !shown.includes(key))).toEqual([])
    }
  })

  it('reads the pairs of logfmt as columns', () => {
    const lines = readLines('logs/logfmt.log')
    const events = eventsOf('logfmt', lines)
    expect(columnsOf(events, ['time', 'level', 'namespace'])).toEqual(
      groupsOf(lines, /^time="([^"]*)" level=(\w+) .* namespace=(\S+)/),
    )
    // An empty value is no column.
    const counts = lines.map(
      (line) => line.replace(/"[^"]*"/g, 'x').match(/[^ =]+=(?=\S)/g)?.length,
    )
    expect(events.map(({ columns }) => columns.length)).toEqual(counts)
  })

  it('have names of their own, and patterns that are right', () => {
    const names = BUILT_IN_TEMPLATES.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { patterns } of BUILT_IN_TEMPLATES)
      expect(() => verifyPatterns(patterns, '', NOW_MS)).not.toThrow()
  })

  it('stand in the manual with their types', () => {
    const manual = readFileSync('docs/reference/patterns.md', 'utf8')
    const table = BUILT_IN_TEMPLATES.map(
      ({ name, logTypes }) => `| ${name} | ${logTypes.map((type) => `\`${type}\``).join(', ')} |`,
    )
    expect(manual).toContain(`|---|---|\n${table.join('\n')}\n\n`)
  })

  it('are found by their words', () => {
    const nameOf = (types: string) => findTemplate(BUILT_IN_TEMPLATES, types)?.name
    expect(nameOf('httpd access')).toBe('Apache access')
    expect(nameOf('HTTPD,error')).toBe('Apache error')
    expect(nameOf('iis')).toBe('IIS W3C')
    expect(nameOf('keyvalue')).toBe('Key and value')
    expect(nameOf('something')).toBeUndefined()
    expect(nameOf('')).toBeUndefined()
  })
})
