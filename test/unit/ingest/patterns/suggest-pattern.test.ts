import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePattern } from '../../../../ingest/patterns/language/parse-pattern.ts'
import { SampleWalk } from '../../../../ingest/patterns/samples/sample-walk.ts'
import { suggestPattern } from '../../../../ingest/patterns/samples/suggest-pattern.ts'
import { verifyPatterns } from '../../../../ingest/patterns/samples/verify-patterns.ts'
import { MAX_PATTERNS } from '../../../../schemas/sdk/sample.ts'
import { BUILT_IN_TEMPLATES } from '../../../../schemas/templates/built-in-templates.ts'
import { series } from '../../../support/run/tier.ts'

const NOW_MS = Date.UTC(2026, 10, 24)
const read = (file: string) => readFileSync(`test/fixtures/logs/${file}`, 'utf8')
const suggest = (sample: string, templates = BUILT_IN_TEMPLATES, pause = async () => {}) =>
  suggestPattern(sample, templates, NOW_MS, pause)

describe('suggestPattern', () => {
  it.each([
    ['apache-access.log', 'Apache access'],
    ['apache-error.log', 'Apache error'],
    ['nginx-error.log', 'nginx error'],
    ['iis-w3c.log', 'IIS W3C'],
    ['syslog-3164.log', 'Syslog RFC 3164'],
    ['linux-auth.log', 'Linux authentication'],
    ['spring-boot.log', 'log4j and logback'],
    ['cri.log', 'Kubernetes container'],
    ['klog.log', 'Kubernetes component'],
    ['zeek-http.log', 'Zeek'],
  ])('knows %s as %s', async (file, template) => {
    const suggestion = await suggest(read(file))
    expect(suggestion?.template).toBe(template)
    expect(suggestion?.fitting).toBe(suggestion?.events)
  })

  it('lets others go on between the templates', async () => {
    let pauses = 0
    await suggest(read('cri.log'), BUILT_IN_TEMPLATES, async () => {
      pauses += 1
    })
    expect(pauses).toBe(BUILT_IN_TEMPLATES.length)
  })

  it('gives no more patterns than a template may have', async () => {
    const lines = '2026-03-01 10:00:00 WARN pump 7 runs dry\n2026-03-01 10:00:05 INFO pump 9 is on'
    const suggestion = await suggest(lines)
    expect(suggestion?.template).toBe('log4j and logback')
    const known = BUILT_IN_TEMPLATES.find(({ name }) => name === 'log4j and logback')
    expect(known?.patterns.length).toBeGreaterThan(MAX_PATTERNS)
    const { patterns = [] } = suggestion ?? {}
    expect(patterns.length).toBeLessThanOrEqual(MAX_PATTERNS)
    expect(verifyPatterns(patterns, lines, NOW_MS).fitting).toBe(2)
  })

  it.each([
    [
      'spring-boot.log',
      "{date:Date,yyyy-MM-dd'T'HH:mm:ss,SSS} {priority:Level} [{text:Text}] {word:Text 2} : {string:Message}",
    ],
    ['log4j.log', '{date:Date,yy/MM/dd HH:mm:ss} {priority:Level} {word:Text}: {string:Message}'],
    ['docker.log', '{json}'],
    ['logfmt.log', '{pairs}'],
  ])('makes a pattern of its own for %s', async (file, pattern) => {
    expect((await suggest(read(file), []))?.patterns).toEqual([pattern])
  })

  it('sees addresses, numbers, quotes, keys, levels and choices of few values', async () => {
    const lines = Array.from({ length: 30 }, (_, i) => {
      const method = ['GET', 'PUT', 'POST'][i % 3]
      const level = ['info', 'warn'][i % 2]
      const rest = i % 4 === 0 ? 'done' : `took long, ${i} times`
      return `2026-11-20 10:00:${10 + i} 10.0.0.${i} ${method} "GET /a${i} x" user=u${i} ms=${i}.5 ${level} ${rest}`
    })
    const suggestion = await suggest(lines.join('\n'), [])
    expect(suggestion?.patterns).toEqual([
      '{date:Date,yyyy-MM-dd HH:mm:ss,SSS} {ip:IP} {choice:Choice,GET;PUT;POST} "{text:Text}" user={word:user} ms={number:ms} {priority:Level} {string:Message}',
    ])
    expect(suggestion?.fitting).toBe(30)
  })

  it('leaves a few odd lines out and says how many fit', async () => {
    const lines = [...read('log4j.log').trim().split('\n'), '--- odd', '???']
    const suggestion = await suggest(lines.join('\n'), [])
    expect(suggestion?.patterns[0]).toContain('{date:Date,yy/MM/dd HH:mm:ss} {priority:Level}')
    // The odd lines belong to the event before them.
    expect([suggestion?.fitting, suggestion?.events]).toEqual([31, 31])
  })

  it('gives a right pattern for any lines, and fits most of those that it was made of', async () => {
    const unit = fc.constantFrom(
      ...['a', 'GET', '12', '10.0.0.1', ' ', '  ', '"', '[', ']', '{', '}', '=', ': ', '-', '\t'],
      ...['2026-11-20 10:00:00', 'ERROR', 'é', '|', ';', ',', '\\', '/x?y=z'],
    )
    const line = fc.array(unit, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), async (all) => {
        const lines = all.filter((one) => one.trim() !== '')
        const suggestion = await suggest(lines.join('\n'), [])
        if (suggestion === undefined) return
        const { fitting, events } = verifyPatterns(suggestion.patterns, lines.join('\n'), NOW_MS)
        expect(events.length).toBe(suggestion.events)
        expect(fitting).toBe(suggestion.fitting)
        expect(fitting).toBeGreaterThan(0)
      }),
      { numRuns: series(250, 1500) },
    )
  })

  it('takes long lines of plain words', async () => {
    const suggestion = await suggest('word '.repeat(50).trim(), [])
    expect(suggestion?.patterns[0]).toMatch(/\{word:Text 40\} \{string:Message\}$/)
    expect(suggestion?.fitting).toBe(1)
    expect((await suggest('word '.repeat(40).trim(), []))?.fitting).toBe(1)
  })

  it.each([
    ['a key too long for a name', `${'k'.repeat(300)}=1 rest`],
    ['many long keys', Array.from({ length: 60 }, (_, i) => `x${'k'.repeat(250)}${i}=v`).join('|')],
    ['many braces', `a${'{'.repeat(10_000)}b`],
    ['many signs', `a${'['.repeat(16_000)}b`],
  ])('takes %s', async (_, line) => {
    expect(() => parsePattern(new SampleWalk([line]).pattern())).not.toThrow()
    expect((await suggest(line))?.fitting).toBe(1)
  })

  it('walks through long lines to a right pattern', () => {
    const word = fc.oneof(
      fc.constantFrom('a', 'word', '12', '10.0.0.1', '/x?y', 'INFO', '-', '"q"', '[b]', '{', 'c:'),
      fc.constantFrom('|', ';', ',', '\t', 'é', 'n=1', 'text=a', 'Text 2', '2026-11-20 10:00:00'),
      fc.integer({ min: 1, max: 300 }).map((length) => `${'k'.repeat(length)}=v`),
    )
    const glue = fc.constantFrom(' ', ' ', '|', ': ', '')
    const line = fc
      .tuple(fc.array(word, { minLength: 30, maxLength: 100 }), glue)
      .map(([words, between]) => words.join(between))
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), (lines) => {
        const pattern = new SampleWalk(lines).pattern()
        expect(() => parsePattern(pattern)).not.toThrow()
        expect(verifyPatterns([pattern], lines.join('\n'), NOW_MS).fitting).toBeGreaterThan(0)
      }),
      { numRuns: series(150, 500) },
    )
  })

  it('says nothing of no lines', async () => {
    expect(await suggest('\n \n')).toBeUndefined()
  })
})
