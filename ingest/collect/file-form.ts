// Events that the product reads from files itself: lines of text, split by the version of their
// log. No input makes this form, so nobody outside names a log by its number (docs/decisions/0094).
import type { EventForm } from '../split/event-form.ts'

export const FILE_FORM: EventForm = {
  name: 'file',
  messageKeys: () => [],
  timeKeys: () => [],
}
