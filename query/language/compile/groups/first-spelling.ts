// Which row of a group comes first, for the spelling of its keys (search-language#group-by). Over a
// whole table: late, at no cost where equal texts are spelled alike, as they nearly always are. The
// rows are grouped once by exact value, and read a second time only for groups that have several
// spellings.

import { SEVERAL_SPELLINGS_CODE } from '../../../../schemas/store/refusals.ts'
import { identitySql } from './key-sql.ts'

/** Every value of the column `policy`, by which the table is partitioned: a row each. In two steps:
 *  the engine takes 35 MB for one range of 65,536. */
const POLICIES = 'arrayJoin(range(256)) * 256 + arrayJoin(range(256, 512)) - 256'

export type SpelledRows = {
  /** Slot and exact keys of a row, each with its name. */
  readonly columns: readonly string[]
  /** Their names. */
  readonly by: readonly string[]
  /** FROM … WHERE …, with these conditions more. */
  readonly from: (conditions: readonly string[]) => string
  readonly firstness: string
}

/** A SELECT of slot and exact keys with `first`, for rows that `more` chooses. */
function firstsOf({ columns, by, from, firstness }: SpelledRows, more: readonly string[]): string {
  return `SELECT ${[...columns, `max(${firstness}) AS first`].join(', ')} ${from(more)} GROUP BY ${by.join(', ')}`
}

/** For HAVING: true, or the failure of a group of equal keys that are not spelled alike. `texts`:
 *  names of the keys that are texts. */
export function spelledAlike(texts: readonly string[]): string {
  return `throwIf(${spelledSeverally(texts)}, 'several spellings', toInt16(${SEVERAL_SPELLINGS_CODE})) = 0`
}

function spelledSeverally(texts: readonly string[]): string {
  return `min(${listed(texts)}) != max(${listed(texts)})`
}

function listed(names: readonly string[]): string {
  return names.length === 1 ? names.join() : `(${names.join(', ')})`
}

/**
 * `groups`: a SELECT of slot, exact keys and more, to which `first` is added: the firstness of the
 * first row of a group; 0 where it does not matter.
 */
export function spelledLate(
  rows: SpelledRows,
  groups: string,
  texts: readonly string[],
  name: string,
): string {
  const identities = texts.map((text) => identitySql('text', text))
  const doubtful = `FROM ${name} GROUP BY ${identities.join(', ')} HAVING ${spelledSeverally(texts)}`
  const firsts = firstsOf(rows, [
    // An empty set leaves no part of the table to read.
    `policy IN (SELECT ${POLICIES} FROM (SELECT 1 ${doubtful} LIMIT 1))`,
    `${listed(identities)} IN (SELECT ${identities.join(', ')} ${doubtful})`,
  ])
  return `WITH ${name} AS MATERIALIZED (${groups}) SELECT * FROM ${name} LEFT JOIN (${firsts}) AS firsts USING (${rows.by.join(', ')})`
}
