// The filter of a log, applied to the events of its files before they are sent: each is split as
// the writer will split it, so that the filter knows its columns.
import type { ListenerAccount } from '../../schemas/listener-account.ts'
import { foldCase } from '../../schemas/store/text-index.ts'
import { makeAccountSplitter } from '../split/account-splitter.ts'
import type { EventInput } from '../split/event-input.ts'
import { lineEnd } from '../split/line-span.ts'
import { columnText, makeSplitEvent, type SplitEvent, textAt } from '../split/split-event.ts'
import type { MakeKeeps } from './collector.ts'
import { FILE_FORM } from './file-form.ts'

type CollectedEvent = {
  /** The message, then the values of its columns. */
  readonly texts: readonly string[]
  column(folded: string): string | undefined
}

/** Throws for a text that is no filter. Handed over by whoever knows the search language. */
type MakeEventFilter = (text: string) => (event: CollectedEvent) => boolean

export function makeKeepsBy(makeFilter: MakeEventFilter): MakeKeeps {
  return (text, account) => {
    if (text === '') return undefined
    const passes = makeFilter(text)
    const split = makeSplit(account)
    return (body, start, end) => passes(toEvent(split(body, start, end)))
  }
}

function makeSplit(account: ListenerAccount) {
  const splitter = makeAccountSplitter(account, 'UTC', FILE_FORM)
  const out = makeSplitEvent()
  return (body: Buffer, start: number, end: number): SplitEvent => {
    const input: EventInput = {
      ...{ body, start, end: lineEnd(body, start, end) ?? end, isLine: true, receivedMs: 0 },
      ...{ hostName: '', peer: '', given: undefined },
    }
    splitter.split(out, input)
    return out
  }
}

function toEvent(event: SplitEvent): CollectedEvent {
  const texts = [textAt(event, event.messageAt, event.messageLength)]
  const columns = new Map<string, string>()
  for (let i = 0; i < event.columnCount; i += 1) {
    const text = columnText(event, i)
    texts.push(text)
    columns.set(foldCase(event.columnNames[i] ?? ''), text)
  }
  return { texts, column: (folded) => columns.get(folded) }
}
