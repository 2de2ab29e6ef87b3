// Conditions as SQL text that is never NULL: each is in parentheses or a call, `1` and `0` are
// simplified away.

export const TRUE = '1'
export const FALSE = '0'

// True for every event, and for none, without a constant: with a constant inside an OR under NOT
// the engine leaves the word index aside, and works the words of each text out instead
// (docs/decisions/0018). The index of logs answers them.
const ALWAYS = 'log_id >= 0'
const NEVER = 'log_id < 0'

/** Never as a comparison: `NOT (ifNull(<column of JSON>, '') != '')` in an OR, beside a word, loses
 *  every row where the engine asks indexes for the sides of an OR. So does `<`; `=` does not. */
export function sqlPresent(text: string): string {
  return `notEmpty(${text})`
}

/** `condition`, which reads nothing where the number of this name is 0. */
export function sqlWhere(guard: string, condition: string): string {
  return `if(${guard}, ${condition}, ${NEVER})`
}

/** One or the other, for conditions that no index answers: to the engine it is one piece. Where the
 *  conditions of a read have more than 32 pieces, each AND and OR counted, it asks no index for the
 *  sides of an OR. */
export function sqlEither(first: string, second: string): string {
  return `if(${first}, ${ALWAYS}, ${second})`
}

/** The condition, never a constant: of two tests that exclude each other the engine makes one. */
export function sqlFirm(condition: string): string {
  return condition === TRUE || condition === FALSE ? condition : sqlWhere(condition, ALWAYS)
}

export function sqlAnd(conditions: readonly string[]): string {
  if (conditions.includes(FALSE)) return FALSE
  const kept = [...new Set(conditions)].filter((condition) => condition !== TRUE)
  if (kept.length === 0) return TRUE
  return kept.length === 1 ? (kept[0] ?? TRUE) : `(${kept.join(' AND ')})`
}

export function sqlOr(conditions: readonly string[]): string {
  if (conditions.includes(TRUE)) return TRUE
  const kept = [...new Set(conditions)].filter((condition) => condition !== FALSE)
  if (kept.length === 0) return FALSE
  return kept.length === 1 ? (kept[0] ?? FALSE) : `(${kept.join(' OR ')})`
}

export function sqlNot(condition: string): string {
  if (condition === TRUE) return FALSE
  return condition === FALSE ? TRUE : `NOT (${condition})`
}
