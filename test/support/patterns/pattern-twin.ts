// Random patterns, each with the regular expression that means the same.
import fc from 'fast-check'

/** A pattern and the regular expression that means the same. */
export type Twin = { pattern: string; source: string }

const ESCAPED = /[\\^$.*+?()[\]{}|/]/g
const literalTwin = fc
  .string({ unit: fc.constantFrom('a', 'b', ' ', '1', '.', '='), minLength: 1, maxLength: 3 })
  .map(
    (text): Twin => ({
      pattern: text,
      source: text.replace(ESCAPED, '\\$&').replace(/ +/g, ' +(?! )'),
    }),
  )
const closedTwin = fc.constantFrom<Twin>(
  { pattern: '{number:#}', source: '(\\d+(?!\\d)(?:\\.\\d+(?!\\d))?)' },
  { pattern: '{choice:#,a;ab;b1;1}', source: '(a|ab|b1|1)' },
)
const openTwin = fc.constantFrom<Twin>(
  { pattern: '{text:#}', source: '([^\\n]*?)' },
  { pattern: '{string:#}', source: '([\\s\\S]*?)' },
)
const elementTwin = fc.oneof(literalTwin, closedTwin)
const blockTwin = fc
  .tuple(
    fc.option(openTwin, { nil: undefined }),
    fc.array(elementTwin, { minLength: 1, maxLength: 2 }),
  )
  .map(([open, rest]): Twin => {
    // An open column in a block is closed by a literal on either side.
    const inside = [
      ...(open === undefined ? [] : [{ pattern: '=', source: '=' }, open]),
      { pattern: '=', source: '=' },
      ...rest,
    ]
    const pattern = inside.map((twin) => twin.pattern).join('')
    const source = inside.map((twin) => twin.source).join('')
    return {
      pattern: `{block,start,emptiness=true}${pattern}{block,end,emptiness=true}`,
      source: `(?:${source})?`,
    }
  })
export const patternTwin = fc
  .array(fc.tuple(openTwin, fc.array(fc.oneof(elementTwin, blockTwin), { maxLength: 3 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts): Twin => {
    const twins = parts.flatMap(([open, rest], i) =>
      i > 0 && parts[i - 1]?.[1].length === 0 ? rest : [open, ...rest],
    )
    let count = 0
    const pattern = twins
      .map((twin) => twin.pattern)
      .join('')
      .replace(/#/g, () => `c${count++}`)
    return { pattern, source: `^${twins.map((twin) => twin.source).join('')}$` }
  })
