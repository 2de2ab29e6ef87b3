import { describe, expect, it } from 'vitest'
import { cutEvents } from '../../../../ingest/patterns/match/cut-events.ts'
import { TemplateMatcher } from '../../../../ingest/patterns/match/template-matcher.ts'

const OPEN = '{date:Date,yyyy-MM-dd HH:mm:ss} {priority:Level} {string:Message}'

function cut(text: string, ...patterns: string[]): string[] {
  const bytes = Buffer.from(text)
  const ranges = cutEvents(bytes, 0, bytes.length, new TemplateMatcher(patterns))
  const events: string[] = []
  for (let i = 0; i < ranges.length; i += 2)
    events.push(bytes.toString('utf8', ranges[i], ranges[i + 1]))
  return events
}

describe('cutEvents', () => {
  const first = '2026-11-20 10:00:01 ERROR boom'
  const trace = 'java.lang.Error: boom\n\tat a.B.c(B.java:1)'
  const second = '2026-11-20 10:00:02 INFO on'

  it('gives a line that begins no event to the one before', () => {
    expect(cut(`${first}\n${trace}\n${second}\n`, OPEN)).toEqual([`${first}\n${trace}`, second])
  })

  it('keeps an empty line within an event, and drops one between events', () => {
    expect(cut(`${first}\n\nmore\n\n${second}`, OPEN)).toEqual([`${first}\n\nmore`, second])
  })

  it('ends an event with its line where the pattern ends in {eoe}, or takes no lines', () => {
    expect(cut(`${first}\nx\ny\n`, `${OPEN}{eoe}`)).toEqual([first, 'x', 'y'])
    expect(cut(`${first}\nx\n`, OPEN.replace('string', 'text'))).toEqual([first, 'x'])
  })

  it('lets lines before the first event be events', () => {
    expect(cut(`x\ny\n${first}`, OPEN)).toEqual(['x', 'y', first])
  })

  it('takes CR LF and LF', () => {
    expect(cut(`${first}\r\nx\r\n${second}\r\n`, OPEN)).toEqual([`${first}\r\nx`, second])
  })

  it('begins a new event before one gets larger than an event may be', () => {
    const line = `${'x'.repeat(400_000)}\n`
    expect(cut(`${first}\n${line.repeat(4)}`, OPEN).map((event) => event.length)).toEqual([
      ...[800_032, 400_000, 400_000],
    ])
  })

  it('gives the last column all lines of the event', () => {
    const template = new TemplateMatcher([OPEN])
    const bytes = Buffer.from(`${first}\n${trace}`)
    const matcher = template.match(bytes, 0, bytes.length)
    const text = bytes.toString('utf8', matcher?.starts[2], matcher?.ends[2])
    expect(text).toBe(`boom\n${trace}`)
  })
})
