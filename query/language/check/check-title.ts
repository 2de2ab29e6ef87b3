// A title of several words that has swallowed what comes after it: `count as errors last host`.
import type { ColumnNames } from '../column-names.ts'
import { STAGE_WORDS } from '../stages/all-stages.ts'
import type { Span, Stage } from '../tree.ts'
import type { Edit } from './edit.ts'
import type { Findings } from './findings.ts'

/** Words of titles, too: `Errors by last`. */
const COMMON = new Set(['time', 'start', 'end', 'first', 'last', 'values', 'count', 'limit'])

/** `text`: of the whole query. */
export function checkTitles(
  stage: Stage,
  text: string,
  names: ColumnNames,
  findings: Findings,
): void {
  for (const { alias, start, end } of titled(stage)) {
    if (alias === null || text.slice(start, end).includes(`"${alias}"`)) continue
    const words = alias.split(' ')
    const at = words.findIndex((word, index) => index > 0 && begins(word, words[index + 1], names))
    if (at < 0) continue
    const mark = STAGE_WORDS.includes(words[at]?.toLowerCase() ?? '') ? 'a comma or |' : 'a comma'
    const place = words[at]?.toLowerCase() === 'as' ? 'in it' : `before '${words[at]}'`
    const message = `the title is '${alias}': if ${mark} is missing ${place}, write it, else "${alias}"`
    findings.warn('query.long_title', message, start, commaEdit(text, { start, end }, words, at))
  }
}

/** Before the word at `at` of the title, which ends what is written. */
function commaEdit(
  text: string,
  { start, end }: Span,
  words: readonly string[],
  at: number,
): Edit | undefined {
  const after = words.slice(at).join(' ')
  const place = text.slice(start, end).lastIndexOf(` ${after}`)
  return place < 0 ? undefined : { start: start + place, end: start + place, text: ',' }
}

function begins(word: string, next: string | undefined, names: ColumnNames): boolean {
  const folded = word.toLowerCase()
  if (folded === 'as') return true
  if (!STAGE_WORDS.includes(folded)) return false
  if (!COMMON.has(folded)) return true
  return next !== undefined && (names.has(next) || /^(?:column|event)\./i.test(next))
}

function titled(stage: Stage): readonly (Span & { readonly alias: string | null })[] {
  switch (stage.kind) {
    case 'functions':
      return stage.functions
    case 'groupBy':
      return stage.keys
    case 'list':
      return stage.items
    default:
      return []
  }
}
