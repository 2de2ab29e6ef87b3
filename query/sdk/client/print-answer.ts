// An answer as a person reads it; for programs there is -output json.
import { configurationAnswerSchema } from '../../../schemas/object-report.ts'
import { plainText } from './plain-text.ts'
import { printConfigurationAnswer } from './print-configuration-answer.ts'

/** One `name: value` a line; lists joined with commas, lists of objects one a line. */
export function printAnswer(response: unknown): string {
  const configuration = configurationAnswerSchema.safeParse(response)
  if (configuration.success) return printConfigurationAnswer(configuration.data)
  if (response === null || response === undefined) return 'done\n'
  if (typeof response !== 'object' || Array.isArray(response))
    return withLineEnd(printValue(response))
  return Object.entries(response)
    .map(([name, value]) => {
      const text = name === 'notes' ? printNotes(value) : printValue(value)
      return plainText(`${name}: ${text}\n`)
    })
    .join('')
}

/** Sentences, which may hold commas. */
function printNotes(value: unknown): string {
  return Array.isArray(value) && value.length > 1
    ? value.map((note) => `\n  ${printValue(note)}`).join('')
    : printValue(value)
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

function printValue(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) {
    const isOfObjects = value.some((one) => typeof one === 'object' && one !== null)
    const texts = value.map(printValue)
    return isOfObjects ? texts.map((text) => `\n  ${text}`).join('') : texts.join(', ')
  }
  return JSON.stringify(value) ?? ''
}
