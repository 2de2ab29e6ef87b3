// Events that the product reads from files itself: lines of text, and those that are objects of
// JSON, split by the version of their log. No input makes this form, so nobody outside names a log
// by its number, and no line chooses another log (docs/decisions/0094, 0131).
import { type EventForm, PLAIN_FORM } from '../split/event-form.ts'

/** As evtx-records.ts prints it. */
const WINDOWS_TIME = 'Event.System.TimeCreated.#attributes.SystemTime'

export const FILE_FORM: EventForm = {
  name: 'file',
  messageKeys: PLAIN_FORM.messageKeys,
  timeKeys: (account) => [...PLAIN_FORM.timeKeys(account), WINDOWS_TIME],
  reservedKeys: new Set(),
}
