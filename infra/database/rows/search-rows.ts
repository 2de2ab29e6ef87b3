// Rows of stored results of searches, and of those that were cancelled, for Kysely.

/** A result that lies in the store's table `results` under the same id. */
type SearchResultRow = {
  id: string
  user_id: number
  /** JSON list of the logs that the user could see, `"all"` for everything: a user who lost one of
   *  them gets nothing more. */
  logs: string
  /** JSON of how rows are printed; '' while the result is being made. */
  shape: string
  row_count: number
  /** Size of the rows in the store, not compressed. */
  bytes: number
  /** Nothing of it is needed any more. */
  expires_ms: number
  /** SHA-256 of the page token; null when there is none. */
  token_hash: string | null
  token_expires_ms: number
  /** As the first call asked. */
  result_format: string
  page_rows: number
  /** First row of the next page. */
  next_row: number
  /** The call that reads the next page, until when; '' for none. */
  taken_by: string
  taken_until_ms: number
}

type SearchResultFileRow = {
  /** SHA-256 of the id in the file's address. */
  id_hash: string
  result_id: string
  result_format: string
  first_row: number
  row_count: number
  expires_ms: number
}

type SearchCancelRow = {
  id: number
  made_ms: number
  /** Hash of what names the search. */
  search_key: string
  /** Null: whosever it is. */
  user_id: number | null
  /** Searches that were ended by it. */
  found: number
}

export type SearchTables = {
  search_results: SearchResultRow
  search_result_files: SearchResultFileRow
  search_cancels: SearchCancelRow
}
