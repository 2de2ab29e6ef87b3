// Reads the YAML of a file of objects within limits: the package itself reads on after each error,
// and a file that is nested deep enough ends the whole process, not the call alone.
import { Composer, type CST, type Document, Lexer, type LineCounter, Parser } from 'yaml'

/** Of a configuration: types, objects, arguments, lists, with a margin. */
const MOST_LEVELS = 20
/** Names, values, signs, spaces and line ends; as many as the longest file of short lines has. */
const MOST_PIECES = 300_000

export type YamlFault = {
  /** Character from 0. */
  readonly at: number
  readonly reason: string
}

export type ComposedYaml =
  | { readonly document: Document.Parsed | undefined }
  | { readonly fault: YamlFault }

/** Every scalar is the text that stands there. A fault: what ends the reading; other faults are
 *  errors and warnings of the document. */
export function composeYaml(text: string, lineCounter: LineCounter): ComposedYaml {
  const cut = cutTokens(text, lineCounter)
  if ('fault' in cut) return cut
  // Keys that stand twice are found by the caller: the package compares each key with all before
  // it, which takes minutes for a file of keys.
  const composer = new Composer({ lineCounter, schema: 'failsafe', uniqueKeys: false })
  const [document, second] = withoutTraces(() => [
    ...composer.compose(cut.tokens, true, text.length),
  ])
  if (second !== undefined)
    return { fault: { at: second.range[0], reason: 'a second document is not read' } }
  return { document }
}

type Cut = { readonly tokens: readonly CST.Token[] } | { readonly fault: YamlFault }

function cutTokens(text: string, lineCounter: LineCounter): Cut {
  const parser = new Parser(lineCounter.addNewLine)
  const tokens: CST.Token[] = []
  let pieces = 0
  lineCounter.addNewLine(0)
  for (const piece of new Lexer().lex(text)) {
    pieces += 1
    if (pieces > MOST_PIECES) {
      const reason = `holds more than ${MOST_PIECES} names, values and signs: give it in parts`
      return { fault: { at: parser.offset, reason } }
    }
    for (const token of parser.next(piece)) {
      if (token.type === 'error') return { fault: { at: token.offset, reason: token.message } }
      tokens.push(token)
    }
    if (parser.stack.length > MOST_LEVELS) {
      const reason = `is nested deeper than ${MOST_LEVELS} levels`
      return { fault: { at: parser.offset, reason } }
    }
  }
  tokens.push(...parser.end())
  return { tokens }
}

/** Each of the hundred thousands of errors that a file can have would note where it was made: this
 *  takes ten times as long as all else. */
function withoutTraces<T>(work: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
