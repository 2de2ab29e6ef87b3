// Where the events of one input have their message and their time. All else of splitting is the
// same for every input, and is the account's.
import { LOGGER_FORM } from '../../schemas/block/schema.ts'
import type { ListenerAccount } from '../../schemas/listener-account.ts'

/** Keys are tried in order; nested ones are joined by dots. */
export type EventForm = {
  /** Stands in the event log: never change it. */
  readonly name: string
  messageKeys(account: ListenerAccount): readonly string[]
  timeKeys(account: ListenerAccount): readonly string[]
  /** Keys that name log and template (decision 3.2); absent: productPath and its like. */
  readonly reservedKeys?: ReadonlySet<string>
}

/** A time that an input found outside the event's bytes; one object may be reused. */
export type GivenTime = { ms: number; nanos: number }

const TIME_KEYS = ['timestamp', '@timestamp', 'time', 'date', 'ts', 'eventTime']

/** Decisions 3.6, 3.7. */
export const PLAIN_FORM: EventForm = {
  name: LOGGER_FORM,
  messageKeys: (account) => account.messageKeys,
  timeKeys: ({ timeKey }) => (timeKey === null ? TIME_KEYS : [timeKey, ...TIME_KEYS]),
}
