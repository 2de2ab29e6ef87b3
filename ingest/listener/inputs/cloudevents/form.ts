// Where a CloudEvent has its message and its time. Its attributes, and the values of its data,
// become columns under their own names.
import type { EventForm } from '../../../split/event-form.ts'

export const CLOUDEVENTS_FORM: EventForm = {
  name: 'cloudevents',
  /** Those of the account within `data`, then data that is a text itself, then attributes of these
   *  names. */
  messageKeys: ({ messageKeys }) => [
    ...messageKeys.map((key) => `data.${key}`),
    'data',
    ...messageKeys,
  ],
  timeKeys: ({ timeKey }) => (timeKey === null ? ['time'] : ['time', timeKey]),
}
