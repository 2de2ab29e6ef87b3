// What an argument means, as a form says it. The published descriptions are those of the command
// line: "whether it counts; default true", "how long it is with -cron". Pure.
import { toWords } from './words.ts'

type Described = {
  readonly description: string
  readonly look: 'line' | 'flag' | 'choice' | 'entries' | 'text'
  /** Arguments of the same command: where one is named, its label is. */
  readonly names: readonly string[]
}

const SAYS_NOTHING = 'free text'

/** A sentence; empty: the label says all. */
export function sayHelp({ description, look, names }: Described): string {
  if (description === SAYS_NOTHING) return ''
  const known = new Set(names)
  const label = (name: string) => `"${toWords(name)}"`
  const text = (
    look === 'entries' ? description.replace(/[,;] @#@# between them/, '') : description
  )
    .replace(/^with -update true: /, '')
    .split('; ')
    .map((part) => sayPart(part, look))
    .filter((part) => part !== '')
    .join('; ')
    .replace(/(?<=^|\s)-([a-z]\w+)/gi, (all, name: string) => (known.has(name) ? label(name) : all))
    .replace(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, (name) => (known.has(name) ? label(name) : name))
  return asSentence(text)
}

/** Begins as one and ends as one. */
function asSentence(text: string): string {
  if (text === '') return text
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
}

function sayPart(part: string, look: Described['look']): string {
  if (/^(?:required|needed) for a new \w+$/.test(part)) return 'needed'
  if (look !== 'flag') return look === 'choice' ? part : part.replace(/^default /, 'empty: ')
  // The box itself shows it.
  if (/^default (?:true|false)$/.test(part)) return ''
  return part
    .replace(/^whether /, '')
    .replace(/^true: /, 'on: ')
    .replace(/^false: /, 'off: ')
}
