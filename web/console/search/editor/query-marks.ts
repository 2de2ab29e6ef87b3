// Errors and hints of the server at their place in the text, with the way out as an act. Pure.
import type { Diagnostic } from '@codemirror/lint'
import type { Warning } from '../../../../schemas/warning.ts'
import type { CallError } from '../../../shared/api/call.ts'

export type MarkOptions = {
  readonly text: string
  readonly error: CallError | undefined
  readonly warnings: readonly Warning[]
  readonly act: (replacement: string) => string
  readonly onReplace: (query: string) => void
}

export function queryMarks({ text, error, warnings, act, onReplace }: MarkOptions): Diagnostic[] {
  const marks = warnings.flatMap(({ message, position, replacement }): Diagnostic[] => {
    if (position === undefined) return []
    const mark = { ...wordAt(text, position), severity: 'warning' as const, message }
    if (replacement === undefined) return [mark]
    const actions = [{ name: act(replacement), apply: () => onReplace(replacement) }]
    return [{ ...mark, actions }]
  })
  if (error?.position === undefined) return marks
  const { message, position } = error
  return [...marks, { ...wordAt(text, position), severity: 'error', message }]
}

/** `position`: from 1. The word there, at least one character of the text. */
function wordAt(text: string, position: number): { from: number; to: number } {
  const from = Math.max(0, Math.min(position - 1, text.length - 1))
  const word = /^[^\s|)]+/.exec(text.slice(from))?.[0] ?? ' '
  return { from, to: Math.min(text.length, from + word.length) }
}
