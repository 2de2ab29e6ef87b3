// What a check of a query finds beside errors: warnings with their place, each once.
import type { Warning } from '../../../schemas/warning.ts'
import type { Edit } from './edit.ts'

export type WarningCode =
  | 'query.unknown_column'
  | 'query.column_as_text'
  | 'query.no_log'
  | 'query.searched_word'
  | 'query.long_title'
  | 'query.quotation_marks'
  | 'query.other_language'
  | 'query.outside_window'
  | 'query.precedence'
  | 'query.never_true'
  | 'query.compared_as_text'
  | 'query.hidden_column'

/** `edit`: a definite way out. */
export type Finding = { readonly warning: Warning; readonly edit: Edit | undefined }

/** A query can hold thousands of tests. */
const MAX_WARNINGS = 20

export class Findings {
  readonly #found = new Map<string, Finding>()

  /** `start`: UTF-16 code units from 0; the warning tells it from 1. */
  warn(code: WarningCode, message: string, start: number, edit?: Edit): void {
    const key = `${code} ${start}`
    if (this.#found.size >= MAX_WARNINGS || this.#found.has(key)) return
    this.#found.set(key, { warning: { code, message, position: start + 1 }, edit })
  }

  /** In the order of their places. */
  list(): readonly Finding[] {
    const position = ({ warning }: Finding) => warning.position ?? 0
    return [...this.#found.values()].sort((a, b) => position(a) - position(b))
  }
}
