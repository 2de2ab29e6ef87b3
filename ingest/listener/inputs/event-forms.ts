// For the writer: how the events of each input, and those of the product itself, are split. A block
// of a form that is not here was made by a later program.
import { OWN_FORMS } from '../../audit/audit-form.ts'
import { FILE_FORM } from '../../collect/file-form.ts'
import { RECORD_FORM } from '../../collect/marked/record-form.ts'
import type { EventForm } from '../../split/event-form.ts'
import { INPUTS } from './inputs.ts'

export const EVENT_FORMS: ReadonlyMap<string, EventForm> = new Map(
  [...INPUTS.map(({ form }) => form), ...OWN_FORMS, FILE_FORM, RECORD_FORM].map((form) => [
    form.name,
    form,
  ]),
)
