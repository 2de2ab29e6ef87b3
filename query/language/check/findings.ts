// What a check of a query finds beside errors: warnings with their place, each once.
import type { Warning } from '../../../schemas/warning.ts'

export type WarningCode =
  | 'query.unknown_column'
  | 'query.column_as_text'
  | 'query.no_log'
  | 'query.searched_word'
  | 'query.long_title'
  | 'query.quotation_marks'
  | 'query.other_language'
  | 'query.outside_window'

/** A query can hold thousands of tests. */
const MAX_WARNINGS = 20

export class Findings {
  readonly #warnings = new Map<string, Warning>()

  /** `start`: UTF-16 code units from 0; the warning tells it from 1. */
  warn(code: WarningCode, message: string, start: number): void {
    const key = `${code} ${start}`
    if (this.#warnings.size >= MAX_WARNINGS || this.#warnings.has(key)) return
    this.#warnings.set(key, { code, message, position: start + 1 })
  }

  /** In the order of their places. */
  list(): readonly Warning[] {
    return [...this.#warnings.values()].sort((a, b) => (a.position ?? 0) - (b.position ?? 0))
  }
}
