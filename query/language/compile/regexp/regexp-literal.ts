// Finds a text without which a regular expression of a query cannot match: it is looked for first,
// which is ten times quicker than the expression. Understands simple expressions only, and gives
// nothing for all others.

export type RegexpLiteral = {
  /** Stands in every text that matches. */
  readonly text: string
  /** The expression is this text and nothing else, but for anchors. */
  readonly isWhole: boolean
  readonly isAtStart: boolean
  readonly isAtEnd: boolean
}

const LEAST_CHARACTERS = 3
/** Alternatives, flags, and escapes that hold braces or quote what follows. */
const NOT_UNDERSTOOD = /\||\(\?(?!:)|\\[QEpPxC]/
const PLAIN_CHARACTER = /^[^\\.[\](){}*+?^$]$/u
const ESCAPED_PUNCTUATION = /^\\[!-/:-@[-^`{-~]$/
/** One element of an expression: an escape, a class, a parenthesis, a counted repetition, or a
 *  character. */
const ELEMENT =
  /\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:[a-z^]+:\]|[^\]\\])*(?:\]|\\?$)|\{[0-9,]*\}|[\s\S]/gu

export function regexpLiteral(regexp: string): RegexpLiteral | undefined {
  if (NOT_UNDERSTOOD.test(regexp)) return undefined
  const elements = regexp.match(ELEMENT) ?? []
  const isAtStart = elements[0] === '^'
  const isAtEnd = elements.at(-1) === '$'
  const inner = elements.slice(isAtStart ? 1 : 0, isAtEnd ? -1 : undefined)
  const runs = literalRuns(inner)
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '')
  if (longest.length < LEAST_CHARACTERS) return undefined
  const isWhole = inner.every((element) => literalOf(element) !== undefined)
  return { text: longest, isWhole, isAtStart, isAtEnd }
}

/** Texts outside of parentheses that nothing makes optional. */
function literalRuns(elements: readonly string[]): string[] {
  const runs: string[] = []
  let run: string[] = []
  let depth = 0
  const end = () => {
    runs.push(run.join(''))
    run = []
  }
  for (const element of elements) {
    const literal = literalOf(element)
    if (literal !== undefined && depth === 0) {
      run.push(literal)
      continue
    }
    if (/^[?*{]/.test(element)) run.pop()
    if (element === '(') depth += 1
    if (element === ')') depth -= 1
    end()
  }
  end()
  return runs
}

function literalOf(element: string): string | undefined {
  if (PLAIN_CHARACTER.test(element)) return element
  return ESCAPED_PUNCTUATION.test(element) ? element.slice(1) : undefined
}
