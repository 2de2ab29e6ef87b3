// Values and phrases that are compared as they stand, and were perhaps meant as a pattern, an
// address block or a share.
import { nearestWord } from '../nearest-word.ts'
import { patternText } from '../parse/input.ts'
import type { Check, ColumnRef, Phrase, Span, Value } from '../tree.ts'
import { isDottedWildcard } from './doubts/pattern-as-text.ts'
import type { Doubt } from './neighbours.ts'

/** What a wildcard at an end of a text in quotation marks looks like. */
const WILD_END = /^\*|\*$/
/** A regular expression is another mistake, and found elsewhere. */
const isWild = (text: string): boolean =>
  isDottedWildcard(text) || (WILD_END.test(text) && !text.includes('.*'))
/** One letter away from null, and words. */
const NEAR_NULL = new Set('full bull pull dull hull gull lull mull cull'.split(' '))
const ADDRESS_BLOCK = /^(?:\d{1,3}(?:\.\d{1,3}){3}|(?=[\da-f]*:)[\da-f:]+)\/\d{1,3}$/i

/** `host = "web-*"`, `user in ("ann", "b*")`. */
export function quotedWildcard({ pattern, isQuoted, start, end }: Value): Doubt | undefined {
  const text = patternText(pattern)
  if (!isQuoted || !isWild(text)) return undefined
  const isSimple = /^[\p{L}\p{N}_.*?/-]+$/u.test(text)
  return {
    code: 'query.quotation_marks',
    message: `in quotation marks * stands for itself: without them ${isSimple ? text : 'it'} is a pattern`,
    edit: isSimple ? { start, end, text } : undefined,
  }
}

/** `"refus*"`, `"payment decl*"`. */
export function quotedWildcardWord({ text, start, end }: Phrase): Doubt | undefined {
  if (!isWild(text)) return undefined
  const bare = text.replace(/^\*|\*$/g, '')
  const isWord = /^[\p{L}\p{N}_]+$/u.test(bare) || isDottedWildcard(text)
  const write = isWord ? text : `message contains "${bare}"`
  return {
    code: 'query.quotation_marks',
    message: `in quotation marks * is no wildcard: write ${write}`,
    edit: isWord ? { start, end, text } : undefined,
  }
}

/** `ip = 10.0.0.0/8`. */
export function blockAsText(column: ColumnRef, check: Check): Doubt | undefined {
  if (check.kind !== 'compare' || (check.operator !== '=' && check.operator !== '!='))
    return undefined
  const { value } = check
  const text = patternText(value.pattern)
  if (!ADDRESS_BLOCK.test(text)) return undefined
  const operator = check.operator === '=' ? 'within' : 'not within'
  return {
    code: 'query.other_language',
    message: `${check.operator} compares the text '${text}': addresses of a block are written ${operator} ${text}`,
    edit: { start: column.end, end: value.end, text: ` ${operator} ${text}` },
  }
}

/** `user = nlul`, and not `user = "nlul"`. */
export function nearNull(text: string, span: Span): Doubt | undefined {
  if (!/^[a-z]{3,5}$/i.test(text) || NEAR_NULL.has(text.toLowerCase())) return undefined
  if (nearestWord(text, ['null']) === undefined) return undefined
  const message = `'${text}' is compared as a text: perhaps null was meant, without quotation marks`
  return { code: 'query.searched_word', message, edit: { ...span, text: 'null' } }
}
