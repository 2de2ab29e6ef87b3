// What an element of a pattern expects of a line, in words.

import type { Program } from '../match/program.ts'
import { choicesOf, dateFormats } from './check-column.ts'
import type { PatternElement } from './pattern.ts'

const MAX_CHOICES = 10

/** `pc`: an instruction of the program. */
export function describeElement(
  { instructions, endsEvent }: Pick<Program, 'instructions' | 'endsEvent'>,
  pc: number,
): string {
  const element = instructions[pc]?.element ?? null
  if (element === null) return endsEvent ? 'the end of the event' : 'the end of the line'
  const text = describe(element)
  if (element.kind !== 'column') return text
  const isOpen = ['text', 'string', 'word', 'url'].includes(element.type)
  return isOpen
    ? `${text}, and after it ${describeElement({ instructions, endsEvent }, pc + 1)}`
    : text
}

function describe(element: PatternElement): string {
  if (element.kind === 'literal') return `the text ${JSON.stringify(element.text)}`
  if (element.kind === 'block') {
    const [first] = element.elements
    return first === undefined ? 'a block' : `${describe(first)} or what stands after the block`
  }
  const { type, format } = element
  switch (type) {
    case 'string':
      return 'any text'
    case 'text':
      return 'any text on one line'
    case 'word':
      return 'text without white space'
    case 'url':
      return 'a URL'
    case 'date':
      return `a date such as ${dateFormats(format).read}`
    case 'timestamp':
      return 'a time as digits'
    case 'number':
      return 'a number'
    case 'ip':
    case 'geoip':
      return 'an IP address'
    case 'choice':
    case 'priority': {
      const choices = choicesOf(element)
      const more = choices.length > MAX_CHOICES ? ', …' : ''
      return `one of ${choices.slice(0, MAX_CHOICES).join(', ')}${more}`
    }
    case 'pairs':
      return 'pairs of keys and values'
    case 'json':
      return 'a JSON object up to the end of the line'
  }
}
