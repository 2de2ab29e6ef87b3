// A pattern for sample lines. It walks through all lines at once, as long as nearly all have
// the same at their places; the rest of the line becomes the message.
import { MAX_PATTERNS } from '../../../schemas/sdk/sample.ts'
import type { Template } from '../../../schemas/templates/template.ts'
import { parsePattern } from '../language/parse-pattern.ts'
import { PatternFault } from '../language/pattern.ts'
import { looksLikePairs } from '../values/pair-scanner.ts'
import { SampleWalk } from './sample-walk.ts'
import { verifyPatterns } from './verify-patterns.ts'

const MAX_LINES = 100
const MAX_LINE_BYTES = 16_384
/** From this share of lines on a built-in template is as good as a pattern of its own. */
const TEMPLATE_SHARE = 0.95
/** A later template must give so many times the columns to be taken. */
const MORE = 1.1
const EQUALS = 61

export type Suggestion = {
  /** The patterns of `template`, or one; of more than one may give, those that fit. */
  readonly patterns: readonly string[]
  /** Name of the template that fits, '' for none. */
  readonly template: string
  /** Several lines may be one event. */
  readonly events: number
  readonly fitting: number
  /** Values of columns, of all events. */
  readonly columns: number
}

/** undefined: there is no line. Looks at the first hundred. `pause` is waited for between
 *  templates: all together take longer than others should wait. */
export async function suggestPattern(
  sample: string,
  templates: readonly Template[],
  receivedMs: number,
  pause: () => Promise<void>,
): Promise<Suggestion | undefined> {
  const lines = sample
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && line.length <= MAX_LINE_BYTES)
    .slice(0, MAX_LINES)
  if (lines.length === 0) return undefined
  const suggest = (template: string, patterns: readonly string[]): Suggestion => {
    const { fitting, events } = verifyPatterns(patterns, lines.join('\n'), receivedMs)
    const columns = events.reduce((sum, event) => sum + event.columns.length, 0)
    const used = new Set(events.map((event) => event.pattern))
    const given =
      patterns.length > MAX_PATTERNS ? patterns.filter((_, at) => used.has(at + 1)) : patterns
    return { patterns: given, template, events: events.length, fitting, columns }
  }
  const shareOf = ({ events, fitting }: Suggestion) => fitting / events
  const pattern = patternOf(lines)
  const own = suggest('', [pattern])
  if (isInner(pattern)) return own
  const named: Suggestion[] = []
  for (const { name, patterns } of templates) {
    await pause()
    const suggestion = suggest(name, patterns)
    if (shareOf(suggestion) >= Math.max(TEMPLATE_SHARE, shareOf(own) - 0.05)) named.push(suggestion)
  }
  return named.reduce(
    (best, one) => (one.columns > MORE * best.columns ? one : best),
    named[0] ?? own,
  )
}

/** Fits any line of its kind, and so tells nothing of where it comes from. */
function isInner(pattern: string): boolean {
  return pattern === '{json}' || pattern === '{pairs}'
}

function patternOf(lines: readonly string[]): string {
  if (lines.every((line) => line.startsWith('{') && line.trimEnd().endsWith('}'))) return '{json}'
  if (lines.every(isPairs)) return '{pairs}'
  // Headers of W3C and Zeek say nothing of the lines.
  const data = lines.filter((line) => !line.startsWith('#'))
  const pattern = new SampleWalk(data.length === 0 ? lines : data).pattern()
  return isRight(pattern) ? pattern : '{string:Message}'
}

/** A sample must not fail whatever it holds; the tests of the walk see to it that this is true. */
function isRight(pattern: string): boolean {
  try {
    parsePattern(pattern)
    return true
  } catch (error) {
    if (error instanceof PatternFault) return false
    throw error
  }
}

function isPairs(line: string): boolean {
  const bytes = Buffer.from(line)
  return looksLikePairs(bytes, 0, bytes.length, EQUALS) && (line.match(/=/g)?.length ?? 0) > 1
}
