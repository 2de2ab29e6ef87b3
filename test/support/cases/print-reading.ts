// What reading a query says, for case files: its error, its warnings, or OK.
import { readQuery } from '../../../query/language/read-query.ts'
import { isFailure } from '../../../schemas/failures.ts'
import { SAMPLE_COLUMNS, SAMPLE_LOGS } from '../data/sample-logs.ts'

export function printReading(text: string): string {
  try {
    const { warnings } = readQuery({ text, visibleLogs: SAMPLE_LOGS, columns: SAMPLE_COLUMNS })
    if (warnings.length === 0) return 'OK'
    return warnings
      .map(({ code, message, position }) => `${code} ${position}: ${message}`)
      .join('\n')
  } catch (error) {
    if (!isFailure(error)) throw error
    return `error ${error.message.replace(/^query error at /, '')}`
  }
}
