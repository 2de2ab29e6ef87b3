// For the writer: how the events of each input are split. A block of a form that is not here was
// made by a later program.
import type { EventForm } from '../../split/event-form.ts'
import { INPUTS } from './inputs.ts'

export const EVENT_FORMS: ReadonlyMap<string, EventForm> = new Map(
  INPUTS.map(({ form }) => [form.name, form]),
)
