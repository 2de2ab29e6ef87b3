// Expressions of RE2 for the store, which find hidden names in names of columns and in texts that
// hold JSON: arrays and objects below the parsing level are stored as JSON text, and so is JSON
// that a sender put into a text. Where the value of a hidden name cannot be cut out exactly, the
// second expression of `memberExpressions` matches and the whole text is hidden.
import type { MaskTarget } from './mask-rule.ts'

/** Hidden paths that end in one of the names `last` and have the names `before` above it. */
export type HiddenNames = { readonly before: readonly string[]; readonly last: readonly string[] }

/** In small letters, as they were written and without `[]` or `[0]`: `items[].pin` is `items.pin`,
 *  since events tell no array from its elements. */
export function hiddenPaths(targets: readonly MaskTarget[]): readonly string[] {
  const paths = targets.flatMap((it) => (it.kind === 'column' ? [it.path] : []))
  const plain = paths.map((path) => path.replace(INDEX, '')).filter((path) => path !== '')
  return [...new Set([...paths, ...plain])]
}

/** Matches the name of a column that is hidden: it is such a path, ends in one or begins with
 *  one. */
export function columnNameExpression(paths: readonly string[]): string {
  return `(?is)(?:^|[.])(?:${paths.map(plainText).join('|')})(?:[.]|$)`
}

/** The paths, grouped by the names above their last one. */
export function hiddenNames(paths: readonly string[]): readonly HiddenNames[] {
  const groups = new Map<string, { before: readonly string[]; last: string[] }>()
  for (const path of paths) {
    const names = path.split('.').filter((name) => name !== '')
    const last = names.at(-1)
    if (last === undefined) continue
    const before = names.slice(0, -1)
    const key = before.join('.')
    const group = groups.get(key) ?? { before, last: [] }
    groups.set(key, group)
    group.last.push(last)
  }
  return [...groups.values()]
}

/** Matches a text in which the name may be. */
export function anyName(name: string): string {
  return `(?is)${keyText(name)}|\\\\u[0-9a-f]{4}`
}

/**
 * `member`: a member of JSON text that has a hidden name, with its key (1) and what follows its
 * value (2). Values are texts, numbers and words, arrays and objects of these.
 * `left`: a hidden name that is still there when all such members are gone. Its value is deeper or
 * cut off, or the key is written by escapes, as in JSON within JSON.
 */
export function memberExpressions(last: readonly string[]): { member: string; left: string } {
  const names = `(?:${last.map(keyText).join('|')})`
  const key = keyExpression(last)
  const inText = `\\\\+"(?:(?:[^"\\\\]|\\\\+[^"\\\\])*[.])?${names}(?:[.](?:[^"\\\\]|\\\\+[^"\\\\])*)?\\\\+"${GAP}${COLON}`
  return {
    member: `(?is)(${key})(?:${TEXT}|${BARE}|${LIST}|${OBJECT})(\\s*(?:[,\\]}]|$))`,
    left: `(?is)${[key, inText, ESCAPED_KEY, ESCAPED_QUOTE].join('|')}`,
  }
}

/** Match a layout and a raw event in which the value of a hidden name has one of the
 *  placeholders. */
export function keyExpressions(last: readonly string[], placeholders: string) {
  const keys = `(?:${keyExpression(last)}|${ESCAPED_KEY}\\s*)`
  return { inLayout: `(?is)${keys}[${placeholders}]`, inRaw: `(?is)${keys}` }
}

/** A key may have dots of its own: {"user.pin": 1}, {"a.pin.b": 1}. */
function keyExpression(last: readonly string[]): string {
  const names = last.map(keyText).join('|')
  return `"(?:(?:[^"\\\\]|\\\\.)*[.])?(?:${names})(?:[.](?:[^"\\\\]|\\\\.)*)?"\\s*:\\s*`
}

const INDEX = /\[\d{0,9}\]/g
const TEXT = String.raw`"(?:[^"\\]|\\.)*"`
const BARE = String.raw`[^\s"\[\]{},:]+`
const LIST = String.raw`\[(?:\s*(?:${TEXT}|${BARE})\s*,?)*\s*\]`
const OBJECT = String.raw`\{(?:\s*${TEXT}\s*:\s*(?:${TEXT}|${BARE}|${LIST})\s*,?)*\s*\}`
const GAP = String.raw`(?:\s|\\+[nrt]|\\+u00(?:09|0a|0d|20))*`
const COLON = String.raw`(?::|\\+u003a)`
/** A key with a character by its number may be any name. */
const ESCAPED_KEY = String.raw`\\u[0-9a-f]{4}(?:[^"\\]|\\+[^"\\])*\\*"${GAP}${COLON}`
const ESCAPED_QUOTE = String.raw`\\+u0022${GAP}${COLON}`

/** The name as it is. `(?i)` knows ς and σ as one letter; İ it does not know, and pages write it
 *  with two characters in small letters. */
function plainText(text: string): string {
  return [...text.replaceAll('i\u0307', '\u0130')]
    .map((it) => (it === '\u0130' ? '(?:\\x{130}|i\\x{307})' : plainCharacter(it)))
    .join('')
}

/** The name within JSON text, at any depth of texts within texts. */
function keyText(name: string): string {
  return [...name.replaceAll('i\u0307', '\u0130')]
    .map((it) => {
      if (it === '\u0130') return '(?:\\x{130}|i\\x{307})'
      if (it === '"') return '\\\\+"'
      if (it === '\\') return '\\\\+'
      return it === '/' ? '\\\\*/' : plainCharacter(it)
    })
    .join('')
}

function plainCharacter(it: string): string {
  return /[0-9A-Za-z_]/.test(it) ? it : `\\x{${(it.codePointAt(0) ?? 0).toString(16)}}`
}
