// An event that was split, as a filter of the search language asks it (query/language/
// event-filter.ts, which roles hand over): where words are looked for is what the store will look
// in.
import { columnText, type SplitEvent, textAt } from './split-event.ts'

/** Shape of query/language/event-filter.ts. */
export type FilteredEvent = {
  text(): string
  message(): string
  column(folded: string): FilteredValue | undefined
  readonly host: string
  readonly source: string
}
type FilteredValue = { readonly text: string; readonly isNumber: boolean }

const SEPARATOR = '\u001f'

/** To be read before the next event is split. */
export function toFilteredEvent(event: SplitEvent, source: string): FilteredEvent {
  let columns: Map<string, FilteredValue> | undefined
  let text: string | undefined
  const message = () => textAt(event, event.messageAt, event.messageLength)
  return {
    host: event.host,
    source,
    message,
    column: (folded) => {
      columns ??= readColumns(event)
      return columns.get(folded)
    },
    text: () => {
      text ??= [
        `${message()}${event.rest.bytes.toString('utf8', 0, event.rest.length)}`,
        ...identifiersOf(event),
      ].join(SEPARATOR)
      return text
    },
  }
}

/** By name in lower case: of several spellings the first that the event has. */
function readColumns(event: SplitEvent): Map<string, FilteredValue> {
  const columns = new Map<string, FilteredValue>()
  for (let i = 0; i < event.columnCount; i += 1) {
    const name = (event.columnNames[i] ?? '').toLowerCase()
    const text = columnText(event, i)
    if (text === '' || columns.has(name)) continue
    const kind = event.columnKinds[i]
    columns.set(name, { text, isNumber: kind === 'number' || kind === 'exactNumber' })
  }
  return columns
}

/** They stand beside the other values. */
function identifiersOf(event: SplitEvent): string[] {
  const texts: string[] = []
  for (let i = 0; i < event.columnCount; i += 1)
    if (event.columnKinds[i] === 'id') texts.push(columnText(event, i))
  return texts
}
