import type { EventAnswer } from '../../../../schemas/search-json/answers.ts'

/** Of a chosen column; '' where the event has none. */
export function shownValue(event: EventAnswer, column: string): string {
  if (column === 'source') return event.source
  if (column === 'folder') return event.folder
  return Object.hasOwn(event.columns, column) ? (event.columns[column] ?? '') : ''
}
