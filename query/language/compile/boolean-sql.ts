// Conditions as SQL text that is never NULL: each is in parentheses or a call, `1` and `0` are simplified away.

export const TRUE = '1'
export const FALSE = '0'

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
