// Every regular expression of the product takes time that grows with the text, or says why not
// (docs/decisions/0136).

import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { findGrowth, mostSteps, sampleTexts } from '../support/regexps/adversarial-texts.ts'
import { collect, collectProduct, FOLDERS } from '../support/regexps/collect.ts'
import {
  charactersOf,
  compile,
  countSteps,
  type Expression,
} from '../support/regexps/count-steps.ts'
import { EXCLUSIONS, type Exclusion, MAX_STEPS } from '../support/regexps/exclusions.ts'
import { PLANTED } from '../support/regexps/planted.ts'
import { execFileSync } from '../support/run/run-sync.ts'
import { series } from '../support/run/tier.ts'

const ROOT = join(import.meta.dirname, '../..')
const RECORDER = 'test/support/regexps/recording-process.ts'
/** Characters of the shortest texts. */
const SHORTEST = series(16, 48)

type Placed = Expression & { readonly file: string }

const { literals, made, hidden } = collectProduct()

/** Those made at run time, recorded in a process that makes them. */
const recorded: readonly (Placed & { readonly line: number })[] = execFileSync(
  process.execPath,
  ['--import', 'tsx', RECORDER, ...new Set(made.map(({ file }) => file))],
  { cwd: ROOT, encoding: 'utf8' },
)
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line))

const all: readonly Placed[] = [...literals, ...recorded]

const sourceOf = ({ source }: Expression) => source.replaceAll('\\`', '`')
const isSame = (one: Exclusion, { file, ...expression }: Placed) =>
  one.file === file && one.source === sourceOf(expression)

/** Each expression once. */
function unique(expressions: readonly Placed[]): readonly Placed[] {
  return [...new Map(expressions.map((one) => [`${one.source}/${one.flags}`, one])).values()]
}

function growing(expressions: readonly Placed[]): string[] {
  return unique(expressions).flatMap((one) => {
    const found = findGrowth(one, SHORTEST)
    return found === undefined
      ? []
      : [`${one.file}: /${one.source}/${one.flags} on ${JSON.stringify(found)}`]
  })
}

describe('every regular expression of the product', () => {
  it('is collected', () => {
    expect(literals.length).toBeGreaterThan(900)
    expect(
      FOLDERS.filter((folder) => !literals.some(({ file }) => file.startsWith(folder))),
    ).toEqual(['roles'])
    expect(hidden).toEqual([])
  })

  it('that is made from texts is recorded', () => {
    expect(made.length).toBeGreaterThan(20)
    const seen = new Set(recorded.map(({ file, line }) => `${file}:${line}`))
    expect(made.map(({ file, line }) => `${file}:${line}`).filter((it) => !seen.has(it))).toEqual(
      [],
    )
  })

  it.each(FOLDERS)('takes steps that grow with the text: %s', (folder) => {
    const here = all
      .filter(
        ({ file }) => file.startsWith(`${folder}/`) || (folder === 'roles' && file === 'main.ts'),
      )
      .filter((one) => !EXCLUSIONS.some((exclusion) => isSame(exclusion, one)))
    expect(growing(here)).toEqual([])
  })

  it('finds in a sample what V8 finds', () => {
    let texts = 0
    for (const one of unique(all)) {
      const program = compile(one)
      const expression = new RegExp(one.source, one.flags.replace('g', ''))
      for (const text of sampleTexts(program)) {
        const counted = countSteps(program, text, 1_000_000)
        if (counted === undefined) continue
        texts += 1
        const characters = charactersOf(program, text)
        const { first } = counted
        const found = first && [
          characters.slice(0, first[0]).join('').length,
          characters.slice(...first).join(''),
        ]
        expression.lastIndex = 0
        const match = expression.exec(text)
        const wanted = match === null ? undefined : [match.index, match[0]]
        if (JSON.stringify(found) !== JSON.stringify(wanted))
          expect([one.source, text, found]).toEqual([one.source, text, wanted])
      }
    }
    expect(texts).toBeGreaterThan(20_000)
  })

  it('of zod that it uses grows likewise', () => {
    const expressions = [z.regexes.email, z.regexes.date, z.regexes.datetime({ offset: true })]
    expect(
      growing(expressions.map(({ source, flags }) => ({ file: 'zod', source, flags }))),
    ).toEqual([])
  })
})

describe('an exclusion', () => {
  it.each(EXCLUSIONS.map((one) => [one.file, one.source, one] as const))(
    'is needed, and bounded: %s %s',
    (_, source, exclusion) => {
      const one = all.find((it) => isSame(exclusion, it))
      expect(one, `${source} is no longer there`).toBeDefined()
      if (one === undefined) return
      expect(findGrowth(one, SHORTEST), `${source} is linear`).toBeDefined()
      if (exclusion.maxCharacters !== undefined)
        expect(mostSteps(one, exclusion.maxCharacters, MAX_STEPS)).not.toBe('limit')
    },
  )
})

describe('the measure', () => {
  it.each(PLANTED)('rejects %s', (source, flags) => {
    expect(findGrowth({ source, flags }, SHORTEST)).toBeDefined()
  })

  const linear: readonly (readonly [source: string, flags: string])[] = [
    ['^\\s+', ''],
    ['(?<!\\s)\\s+$', ''],
    ['^[a-z]+:\\d{1,5}$', ''],
    ['"[^"]*(?:"|$)', 'g'],
  ]
  it.each(linear)('accepts %s', (source, flags) => {
    expect(findGrowth({ source, flags }, SHORTEST)).toBeUndefined()
  })

  it.each([
    ['a.ts', 'const a = /\\s+$/'],
    ['a.tsx', 'const a = <p>{text.replace(/\\s+$/, "")}</p>'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the planted text
    ['a.ts', 'const a = `${text.replace(/\\s+$/, "")}`'],
  ])('sees the planted one in %s: %s', (file, text) => {
    expect(growing(collect(file, text).literals)).toHaveLength(1)
  })

  it.each([
    "const a = new RegExp('\\\\s+$')",
    "const a = RegExp('\\\\s+$')",
    "const a = new globalThis.RegExp('\\\\s+$')",
  ])('sees one that is made: %s', (text) => {
    expect(collect('a.ts', text).made).toHaveLength(1)
  })

  it.each(["a.match('\\\\s+$')", "a?.matchAll('x')", 'a.search(`x`)'])(
    'sees a text that becomes one: %s',
    (text) => {
      expect(collect('a.ts', text).hidden).toHaveLength(1)
    },
  )
})
