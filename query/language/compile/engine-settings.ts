// Settings of the engine that every compiled statement is sent with.
import { LOGS_INDEX_NAME } from '../../../schemas/store/tables.ts'
import { GROUP_SETTINGS } from './groups/group-limit.ts'
import { FEW_LOGS, type SqlParams } from './sql-params.ts'

type EngineSettings = Readonly<Record<string, string | number>>

const SETTINGS = {
  // Words are looked for in text OR identifiers: both sides use their indexes.
  use_skip_indexes_for_disjunctions: 1,
  // Which blocks an index leaves is found out before anything is read: an identifier over ten
  // million events takes a third less.
  use_skip_indexes_on_data_read: 0,
  // Read no further than the newest rows that are wanted: with it, the newest 100 of a scan take
  // three times as long.
  read_in_order_use_buffering: 0,
  // Heads of columns in the thread that reads them: handing them to others costs a rare word and an
  // identifier a tenth, also when cold.
  merge_tree_use_prefixes_deserialization_thread_pool: 0,
  // Conditions are tested as they are written: what an index answers first. By its own estimate the
  // engine would begin with regular expressions over the whole text.
  allow_reorder_prewhere_conditions: 0,
  // A regular expression takes a time of its text's length (RE2). In machine code, which the engine
  // makes of simple ones at their third block, it can take the square of it (`a[ab]*x?[cd]` in
  // 200,000 letters: 10 s), and neither that nor the making of the code, some 20 ms each, sees a
  // cancel.
  compile_regular_expressions: 0,
  // Groups that are read again only where their keys have several spellings.
  enable_materialized_cte: 1,
  // A query of 32,768 characters makes long SQL.
  max_query_size: 16_777_216,
  max_ast_elements: 1_000_000,
  // Each stage is a sub-select or some.
  max_parser_depth: 10_000,
  max_ast_depth: 10_000,
  max_subquery_depth: 1000,
  max_expanded_ast_elements: 5_000_000,
  ...GROUP_SETTINGS,
} as const

/** Blocks of columns stay unpacked in the engine's memory, as far as it goes: a search that is
 *  refined, paged or repeated unpacks nothing. By default the engine leaves out reads of more than
 *  a million rows, which includes every one that ends early. */
const UNPACKED_BLOCKS_KEPT = {
  use_uncompressed_cache: 1,
  merge_tree_max_rows_to_use_cache: 1e12,
  merge_tree_max_bytes_to_use_cache: 1e15,
}

/** The engine remembers which blocks of the table held none, so that an identifier that is asked
 *  for again, or paged, takes half. It does so only where no index is asked for the newest rows,
 *  and then reads whole blocks: no gain for words, and too long for a cancel where much is worked
 *  out for each row. */
const EMPTY_BLOCKS_REMEMBERED = { use_skip_indexes_for_top_k: 0 }

/** Rows times conditions of a block. */
const BLOCK_WORK = 65_536
const FEW_CONDITIONS = 8
const LEAST_BLOCK_ROWS = 128

/** Rows of a block where whole events are sorted: of the usual ones two or three are the memory
 *  that a search may have. */
const SORTED_BLOCK_ROWS = 8192

/** Rows of a block where the reading ends at the newest: the rest of the last blocks is read for
 *  nothing. Of 2048 a scan of all texts costs an eighth more. */
const EARLY_BLOCK_ROWS = 4096

/** To be asked for when everything is compiled. `sortsEvents`: in another order than that of the
 *  table. `endsEarly`: with some of the newest or oldest events. */
export function engineSettings(
  { conditions, fewestLogs, readsTexts, asksIdentifiers }: SqlParams,
  { sortsEvents = false, endsEarly = false } = {},
): EngineSettings {
  return {
    ...SETTINGS,
    // All texts, or whole events, of a scan do not fit, and would only push out the rest.
    ...((readsTexts || sortsEvents) && !endsEarly ? {} : UNPACKED_BLOCKS_KEPT),
    ...(asksIdentifiers && conditions <= FEW_CONDITIONS ? EMPTY_BLOCKS_REMEMBERED : {}),
    ...blockSettings(conditions, sortsEvents, endsEarly),
    ...(fewestLogs > FEW_LOGS ? { ignore_data_skipping_indices: LOGS_INDEX_NAME } : {}),
  }
}

/** The engine looks for a cancel between blocks only: where much is worked out for each row, a
 *  block has fewer rows, so that a search that was ended lets go within a second (decision 4.7). */
function blockSettings(
  conditions: number,
  sortsEvents: boolean,
  endsEarly: boolean,
): EngineSettings {
  const limits = [
    ...(conditions > FEW_CONDITIONS
      ? [Math.max(LEAST_BLOCK_ROWS, Math.floor(BLOCK_WORK / conditions))]
      : []),
    ...(sortsEvents ? [SORTED_BLOCK_ROWS] : []),
    ...(endsEarly ? [EARLY_BLOCK_ROWS] : []),
  ]
  return limits.length === 0 ? {} : { max_block_size: Math.min(...limits) }
}
