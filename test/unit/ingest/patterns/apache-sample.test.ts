// The access pattern of the manual on a real log: an excerpt of 50 lines, or with
// LOGEYE_TEST_APACHE_LOG the whole file.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compilePattern } from '../../../../ingest/patterns/match/compile-pattern.ts'
import { PatternMatcher } from '../../../../ingest/patterns/match/pattern-matcher.ts'
import { NUMBER_VALUE } from '../../../../ingest/patterns/values/match-values.ts'

const FILE = process.env.LOGEYE_TEST_APACHE_LOG ?? 'test/fixtures/logs/apache-access.log'
const PATTERN =
  '{ip:Remote IP,ftype=remoteip} {text:Ident} {text:User,ftype=remoteuser} [{date:Date,locale=en;,dd/MMM/yyyy:HH:mm:ss z}] "{choice:Method,ftype=reqmethod;,GET;POST;PUT;DELETE;HEAD} {string:URL,ftype=requrl} {string:Protocol}" {number:Status,ftype=respstatus} {number:Bytes Sent,ftype=bytesent}{eoe}'
const EXPRESSION =
  /^([\d.]+) \S+ \S+ \[(\d\d)\/(\w{3})\/(\d{4}):([\d:]{8}) \+0000\] "(\w+) (\S+) (\S+)" (\d{3}) (\d+|-)/

describe('the access pattern on a real log', () => {
  it('fits every line, and gives what a regular expression gives', () => {
    const bytes = readFileSync(FILE)
    const lines = bytes.toString('utf8').split('\n').slice(0, -1)
    const matcher = new PatternMatcher(compilePattern(PATTERN))
    const names = matcher.program.columns.map(({ name }) => name)
    let start = 0
    for (const line of lines) {
      const end = start + Buffer.byteLength(line)
      if (!matcher.read(bytes, start, end, 0)) expect.unreachable(`does not fit: ${line}`)
      const { starts, ends, values } = matcher
      const shown = names.map((_, i) => {
        if ((starts[i] ?? -1) < 0) return '-'
        return bytes.toString('utf8', starts[i], ends[i])
      })
      const [, ip, day, month, year, time, method, url, protocol, status, sent] =
        EXPRESSION.exec(line) ?? []
      const date = `${day}/${month}/${year}:${time} +0000`
      expect(shown).toEqual([ip, '-', '-', date, method, url, protocol, status, sent])
      expect(values.numbers[3]).toBe(Date.parse(`${day} ${month} ${year} ${time} GMT`))
      expect([values.kinds[7], values.numbers[7]]).toEqual([NUMBER_VALUE, Number(status)])
      if (sent !== '-') expect(values.numbers[8]).toBe(Number(sent))
      start = end + 1
    }
    expect(lines.length).toBeGreaterThanOrEqual(50)
  })
})
