// The manual of the search language: every example in it is run on the real engines over its own
// events, and nothing in it that could pass for an example is left out. LOGEYE_WRITE_CASES=1 writes
// what the product answers into it: read every difference.
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STAGE_WORDS } from '../../../query/language/stages/all-stages.ts'
import { FAILURES } from '../../../schemas/failures.ts'
import {
  type Example,
  findStrays,
  readBlocks,
  readExamples,
  writeExamples,
} from '../../support/data/manual-blocks.ts'
import { type Asked, MANUAL, openManualWorld } from '../../support/data/manual-world.ts'
import { mapAtOnce } from '../../support/run/map-at-once.ts'

const TEXT = readFileSync(MANUAL, 'utf8')
const IS_WRITTEN = process.env.LOGEYE_WRITE_CASES === '1'

const EXAMPLES = IS_WRITTEN ? [] : readExamples(TEXT)
const AT_ONCE = 4

let world: Awaited<ReturnType<typeof openManualWorld>>
const answers = new Map<Example, Asked>()
beforeAll(async () => {
  const setup = readBlocks(TEXT).find(({ kind }) => kind === 'setup')
  world = await openManualWorld(setup?.text ?? '')
  const ask = async (example: Example) => void answers.set(example, await answer(example))
  // The zone is that of the system: those with one of their own are asked alone.
  await mapAtOnce(
    EXAMPLES.filter(({ zone }) => zone === ''),
    AT_ONCE,
    ask,
  )
  for (const example of EXAMPLES) if (example.zone !== '') await ask(example)
})
afterAll(() => world?.stop())

/** The reference has no raw events and no letter X of dates. */
const COMPARED = readExamples(TEXT).filter(
  ({ kind, input, place }) =>
    kind !== 'call' && place.block.kind !== 'error' && !/list raw$|SSSX/.test(input),
)
const answer = ({ kind, input, zone }: Example) => world[kind](input, zone)

describe('the manual', () => {
  if (IS_WRITTEN)
    it('is written', { timeout: 300_000 }, async () => {
      const written = []
      for (const example of readExamples(TEXT))
        written.push({ example, ...(await answer(example)) })
      writeFileSync(MANUAL, writeExamples(TEXT, written))
    })

  it.each(EXAMPLES)('line $line: $input', (example) => {
    const told = answers.get(example)
    expect(told?.text).toBe(example.expected)
    if (example.kind === 'query') expect(told?.kind).toBe(example.place.block.kind)
  })

  // The reference knows the language and nothing of the compiler: no wrong answer can be written
  // into the manual.
  it.each(IS_WRITTEN ? [] : COMPARED)(
    'line $line is the same in the reference: $input',
    ({ kind, input, zone, expected }) => {
      if (kind !== 'call') expect(world.reference(kind, input, zone)).toBe(expected)
    },
  )
})

describe('what could pass for an example and is not run', () => {
  const fence = '```'
  const query = `${fence}query\n* | count\n${fence}\n`
  const result = `${fence}result\ncount\n-----\n42\n${fence}\n`

  it.each([
    ['a query without a result', query],
    ['a query with text before its result', `${query}is\n${result}`],
    ['a query with an empty result', `${query}${fence}result\n${fence}\n`],
    ['two results', `${query}${result}${result}`],
    ['a result alone', result],
    ['a block of an unknown kind', `${fence}spl\n* | count\n${fence}\n`],
    ['a block without a kind', `${fence}\n* | count\n${fence}\n`],
    ['finds without ids', `${fence}finds\nStatus = 404 ==> \n${fence}\n`],
    ['finds with a failure', `${fence}finds\nnot ==> 1: query error at 4: a word\n${fence}\n`],
    ['finds without an arrow', `${fence}finds\nStatus = 404\n${fence}\n`],
    ['indented code', 'so\n\n    * | count\n'],
    ['a fence of another kind', '~~~\n* | count\n~~~\n'],
    ['stages in a line', 'as in `* | count` here'],
    ['a test in a line', 'as in `Status = 404` here'],
    ['a scope in a line', 'as in `error in log.access` here'],
  ])('%s is told', (_, text) => {
    expect(findStrays(`# A manual\n\n${text}`)).not.toEqual([])
  })

  it('none is told of sound blocks', () => {
    expect(
      findStrays(`${query}${result}\n${fence}syntax\na | b\n${fence}\n\`count <column>\``),
    ).toEqual([])
  })
})

describe('the text around the examples', () => {
  it('holds nothing that could pass for an example and is not run', () => {
    expect(findStrays(TEXT)).toEqual([])
  })

  it('has a section for every stage', () => {
    const headings = TEXT.split('\n')
      .filter((line) => line.startsWith('#'))
      .join('\n')
    for (const word of STAGE_WORDS) expect(`${headings}\n${sectionOf('Functions')}`).toContain(word)
  })

  it('names every failure of a search with its text', () => {
    const told = sectionOf('Failures')
    const rows = Object.entries(FAILURES).flatMap(([code, entry]) =>
      /^(?:search|store)\./.test(code) && 'search' in entry
        ? [`| ${entry.search} | ${entry.message} |`]
        : [],
    )
    expect(rows.filter((row) => !told.includes(row))).toEqual([])
  })

  it('links files that are there', () => {
    for (const [, target = ''] of TEXT.matchAll(/\]\((?!https?:|#)([^)#]+)/g))
      expect(() => readFileSync(new URL(target, MANUAL)), target).not.toThrow()
  })

  it('links headings that are there', () => {
    const anchors = new Set(
      TEXT.split('\n')
        .filter((line) => line.startsWith('#'))
        .map((line) => toAnchor(line.replace(/^#+ /, ''))),
    )
    for (const [, anchor = ''] of TEXT.matchAll(/\]\(#([^)]+)\)/g))
      expect(anchors).toContain(anchor)
  })
})

/** Queries one step beyond the limits that need no great data: what the table says of them, in its
 *  order. */
const BEYOND: Readonly<Record<string, readonly string[]>> = {
  'characters of a query': ['x'.repeat(32_769)],
  'stages, those in brackets among them': [`*${' | limit 1'.repeat(41)}`],
  'parentheses in parentheses': [`${'('.repeat(51)}x${')'.repeat(51)}`],
  'queries in brackets: deep, altogether': [
    `${'id in [ '.repeat(9)}*${' | list id ]'.repeat(9)}`,
    Array.from({ length: 41 }, () => 'timestamp in [ x ]').join(' '),
  ],
  'steps of a transaction': [
    `transaction(${Array.from({ length: 41 }, (_, at) => `"a","id","s${at}"`).join('->')})`,
  ],
  'counted repetitions of regular expressions, of one part': ['id matches "(a{100}){11}"'],
  'counted repetitions of regular expressions, of a query': [
    Array.from({ length: 6 }, () => 'id matches "a{1000}"').join(' '),
  ],
  'conditions of a query that no index answers': [
    Array.from({ length: 1001 }, (_, at) => `Status > ${at}`).join(' OR '),
  ],
}

describe('the table of limits', () => {
  const rows = sectionOf('Limits')
    .split('\n')
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))

  it.each(Object.entries(BEYOND))('tells what comes beyond: %s', async (what, queries) => {
    const row = rows.find(([name]) => name === what)
    const codes = await Promise.all(queries.map(async (query) => (await world.query(query)).text))
    expect([...new Set(codes.map((text) => text.split(':')[0]))]).toEqual([
      /code (\d)/.exec(row?.[2] ?? '')?.[1],
    ])
  })
})

/** The text of the section of this heading, sub-sections included. */
function sectionOf(heading: string): string {
  const lines = TEXT.split('\n')
  const at = lines.findIndex((line) => line.replace(/^#+ /, '') === heading)
  const depth = /^#+/.exec(lines[at] ?? '')?.[0].length ?? 0
  const end = lines.findIndex(
    (line, index) =>
      index > at && /^#+ /.test(line) && (/^#+/.exec(line)?.[0].length ?? 9) <= depth,
  )
  return lines.slice(at, end < 0 ? undefined : end).join('\n')
}

function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}
