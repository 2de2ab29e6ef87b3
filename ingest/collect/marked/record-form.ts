// Events that are copied from what is no file: an object with the message and the columns. Where
// and when they were stands beside them (docs/decisions/0123).
import type { EventForm } from '../../split/event-form.ts'
import { RESERVED_KEYS } from '../../split/shapes/shape.ts'

/** The first that is there is the message: the second, where a column has the name of the first. */
const MESSAGE_KEYS = ['copied.message', 'message'] as const

export const RECORD_FORM: EventForm = {
  name: 'record',
  messageKeys: () => MESSAGE_KEYS,
  timeKeys: () => [],
}

const NUMBER = /^-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?$/
const PREFIX = 'copied.'

/** One line of JSON. A number stays one; names that route events get a prefix. */
export function printRecord(
  message: string | undefined,
  columns: Readonly<Record<string, string>>,
): string {
  const names = new Set(Object.keys(columns))
  const [rare, usual] = MESSAGE_KEYS
  const key = names.has(usual) || names.has(rare) ? rare : usual
  const members = Object.entries(columns)
    .filter(([name]) => message === undefined || name !== key)
    .map(([name, value]) => {
      const column = RESERVED_KEYS.has(name) ? PREFIX + name : name
      return `${JSON.stringify(column)}:${NUMBER.test(value) ? value : JSON.stringify(value)}`
    })
  const own = message === undefined ? [] : [`"${key}":${JSON.stringify(message)}`]
  return `{${[...own, ...members].join(',')}}`
}
