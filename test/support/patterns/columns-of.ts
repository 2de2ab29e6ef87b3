import { compilePattern } from '../../../ingest/patterns/match/compile-pattern.ts'
import { PatternMatcher } from '../../../ingest/patterns/match/pattern-matcher.ts'

/** Texts of the columns that have a value; undefined: the pattern does not fit. */
export function columnsOfLine(pattern: string, line: string): Record<string, string> | undefined {
  return columnsOf(new PatternMatcher(compilePattern(pattern)), line)
}

export function columnsOf(
  matcher: PatternMatcher,
  line: string,
): Record<string, string> | undefined {
  const bytes = Buffer.from(`xx${line}yy`)
  if (!matcher.match(bytes, 2, bytes.length - 2)) return undefined
  const columns: Record<string, string> = {}
  for (const [i, { name }] of matcher.program.columns.entries()) {
    const start = matcher.starts[i] ?? -1
    if (start >= 0) columns[name] = bytes.toString('utf8', start, matcher.ends[i])
  }
  return columns
}

/** Numbers, and times as ISO text, of a line that fits. */
export function valuesOf(
  pattern: string,
  line: string,
  receivedMs = Date.UTC(2026, 10, 24),
): Record<string, number | string> {
  const matcher = new PatternMatcher(compilePattern(pattern))
  const bytes = Buffer.from(line)
  if (!matcher.read(bytes, 0, bytes.length, receivedMs)) throw new Error(`does not fit: ${line}`)
  const { kinds, numbers, nanos } = matcher.values
  return Object.fromEntries(
    matcher.program.columns.map(({ name }, i) => {
      const text = bytes.toString('utf8', matcher.starts[i] ?? 0, matcher.ends[i])
      if (kinds[i] === 4) return [name, `${new Date(numbers[i] ?? 0).toISOString()}+${nanos[i]}`]
      return [name, kinds[i] === 2 ? (numbers[i] ?? 0) : text]
    }),
  )
}
