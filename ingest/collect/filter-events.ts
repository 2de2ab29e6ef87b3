// The filter of a log, applied to the events of its files before they are sent: each is split as
// the writer will split it, so that the filter knows its columns.
import type { ListenerAccount } from '../../schemas/listener-account.ts'
import { makeAccountSplitter } from '../split/account-splitter.ts'
import type { EventInput } from '../split/event-input.ts'
import { type FilteredEvent, toFilteredEvent } from '../split/filtered-event.ts'
import { lineEnd } from '../split/line-span.ts'
import { makeSplitEvent, type SplitEvent } from '../split/split-event.ts'
import type { MakeKeeps } from './collector.ts'
import { FILE_FORM } from './file-form.ts'

/** Throws for a text that is no filter. Handed over by whoever knows the search language. */
type MakeEventFilter = (
  text: string,
  known: readonly ['message'],
) => (event: FilteredEvent) => boolean

export function makeKeepsBy(makeFilter: MakeEventFilter): MakeKeeps {
  return (text, account) => {
    if (text === '') return undefined
    // The file and the machine are those of the log.
    const passes = makeFilter(text, ['message'])
    const split = makeSplit(account)
    return (body, start, end) => passes(toFilteredEvent(split(body, start, end), ''))
  }
}

function makeSplit(account: ListenerAccount) {
  const splitter = makeAccountSplitter(account, 'UTC', FILE_FORM)
  const out = makeSplitEvent()
  return (body: Buffer, start: number, end: number): SplitEvent => {
    const line = lineEnd(body, start, end)
    const input: EventInput = {
      ...{ body, start, end: line ?? end, isLine: line !== undefined, receivedMs: 0 },
      ...{ hostName: '', peer: '', given: undefined },
    }
    splitter.split(out, input)
    return out
  }
}
