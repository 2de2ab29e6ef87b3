// The level of an event: a letter and a colour, so that it is read without either. Pure.
import type { EventAnswer } from '../../../../schemas/search-json/answers.ts'

export const LEVEL_NAME = /^(?:level|severity|log[ _.]?level|lvl|priority|event ?level ?name)$/i

export type Level = 'error' | 'warning' | 'info' | 'debug'

export const LETTERS: Readonly<Record<Level, string>> = {
  error: 'E',
  warning: 'W',
  info: 'I',
  debug: 'D',
}

const KINDS: readonly (readonly [RegExp, Level])[] = [
  [/^(?:e|err|error|severe|fatal|crit|critical|emerg|emergency|alert|panic|failure)$/i, 'error'],
  [/^(?:w|warn|warning)$/i, 'warning'],
  [/^(?:i|info|information|informational|notice|ok|success)$/i, 'info'],
  [/^(?:d|debug|trace|verbose|fine|finer|finest)$/i, 'debug'],
]

export function levelOf(value: string): Level | undefined {
  return KINDS.find(([words]) => words.test(value.trim()))?.[1]
}

/** undefined: the event does not say. */
export function levelOfEvent({ columns }: EventAnswer): Level | undefined {
  for (const [name, value] of Object.entries(columns))
    if (LEVEL_NAME.test(name)) return levelOf(value)
  return undefined
}
