// How the arguments of SDK commands are written: text in, checked value out. One schema serves
// client and server.
import { z } from 'zod'
import type { SourceSplit, SplitColumn } from '../listener-account.ts'
import { ENTRY_SEPARATOR } from '../log-definition.ts'
import {
  CONTROL_CHARACTER,
  cleanLevel,
  directionFault,
  LEVEL_SEPARATOR,
  levelFault,
  MAX_LEVELS,
  SYSTEM_FOLDER,
} from '../names/log-path.ts'
import { NODE_NAME, NODE_NAME_HINT } from '../names/node-name.ts'
import { isTimeZone } from '../time/time-zone.ts'

const MAX_TEXT_CHARACTERS = 4000

export const flagValue = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((text) => text === 'true')

export const textValue = z
  .string()
  .max(MAX_TEXT_CHARACTERS, `must have at most ${MAX_TEXT_CHARACTERS} characters`)
  .refine((text) => !CONTROL_CHARACTER.test(text), 'must hold no control character')

/** A name that is shown beside the one that counts. */
export const displayNameValue = textValue.superRefine((text, context) => {
  const message = directionFault(text)
  if (message !== undefined) context.addIssue({ code: 'custom', message })
})

/** `a,b`; or a JSON array of texts, for elements that hold a comma. Trimmed, empty ones left out;
 *  '' is the empty list. */
export const listValue = textValue.transform((text, context): string[] => {
  const elements = text.trimStart().startsWith('[') ? parseJsonList(text) : text.split(',')
  if (elements === undefined) {
    context.addIssue({ code: 'custom', message: 'must be a,b or a JSON array of texts' })
    return z.NEVER
  }
  return elements.map((element) => element.trim()).filter((element) => element !== '')
})

function parseJsonList(text: string): string[] | undefined {
  try {
    const parsed = z.array(textValue).safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

/** `Web->Edge`, also `ROOT->Web->Edge`; '' and `ROOT` are the root. Level names must be ones that a
 *  log path can hold. */
export const pathValue = textValue.transform((text, context): string[] => {
  const levels = text.trim() === '' ? [] : text.split(LEVEL_SEPARATOR).map((level) => level.trim())
  if (levels[0] === 'ROOT') levels.shift()
  if (levels.length > MAX_LEVELS) {
    context.addIssue({ code: 'custom', message: `must have at most ${MAX_LEVELS} levels` })
    return z.NEVER
  }
  for (const level of levels) {
    if (level !== '' && cleanLevel(level) === level) continue
    context.addIssue({ code: 'custom', message: `${JSON.stringify(level)} is not a folder name` })
    return z.NEVER
  }
  return levels
})

/** Name of a folder or a log (decision 3.4). */
export const levelValue = z.string().transform((text, context): string => {
  const name = text.trim()
  const reason = levelFault(name)
  if (reason === undefined) return name
  context.addIssue({ code: 'custom', message: reason })
  return z.NEVER
})

/** A folder in which something may be made: the root, too, but not ours. */
export const inFolderValue = pathValue
  .refine((levels) => levels.length < MAX_LEVELS, `must have fewer than ${MAX_LEVELS} levels`)
  .refine((levels) => levels[0] !== SYSTEM_FOLDER, `the folder ${SYSTEM_FOLDER} is the product's`)

/** `a@#@#b`, without empty ones; '' is none. */
export const entriesValue = textValue.transform((text) =>
  text
    .split(ENTRY_SEPARATOR)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
)

/** A folder into which a listener may write: below the root, and not ours (decision 3.4). */
export const parentFolderValue = pathValue
  .refine((levels) => levels.length > 0, 'must name a folder below the root')
  .refine((levels) => levels.length < MAX_LEVELS, `must have fewer than ${MAX_LEVELS} levels`)
  .refine(
    (levels) => levels[0] !== SYSTEM_FOLDER,
    `the folder ${SYSTEM_FOLDER} is not for listeners`,
  )

const SOURCE_SPLITS: Readonly<Record<string, SourceSplit>> = {
  'do not split': 'none',
  none: 'none',
  'create log by unique ip/host name': 'source',
  source: 'source',
  'create log by ip mask': 'mask',
  mask: 'mask',
}

/** The words of the manual or their short forms, in any letter case. */
export const sourceSplitValue = z.string().transform((text, context): SourceSplit => {
  const split = SOURCE_SPLITS[text.trim().toLowerCase()]
  if (split !== undefined) return split
  context.addIssue({
    code: 'custom',
    message:
      'must be Do Not Split (none), Create Log by Unique IP/Host Name (source) or Create Log by IP Mask (mask)',
  })
  return z.NEVER
})

/** `24`, `/24` or `255.255.255.0`. */
export const maskV4Value = z.string().transform((text, context): number => {
  const bits = parseDottedMask(text) ?? parseBits(text, 32)
  if (bits !== undefined) return bits
  context.addIssue({ code: 'custom', message: 'must be 0 to 32, or a mask such as 255.255.255.0' })
  return z.NEVER
})

/** `64` or `/64`. */
export const maskV6Value = z.string().transform((text, context): number => {
  const bits = parseBits(text, 128)
  if (bits !== undefined) return bits
  context.addIssue({ code: 'custom', message: 'must be 0 to 128' })
  return z.NEVER
})

function parseBits(text: string, max: number): number | undefined {
  const digits = /^\/?(\d{1,3})$/.exec(text.trim())?.[1]
  if (digits === undefined || Number(digits) > max) return undefined
  return Number(digits)
}

function parseDottedMask(text: string): number | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text.trim())
  if (match === null) return undefined
  const octets = match.slice(1).map(Number)
  if (octets.some((octet) => octet > 255)) return undefined
  const binary = octets.map((octet) => octet.toString(2).padStart(8, '0')).join('')
  return /^1*0*$/.test(binary) ? binary.replaceAll('0', '').length : undefined
}

/** `env->service->host*`: the last key is the log name, `*` marks the host (decision 3.2); '' for
 *  none. */
export const splitColumnsValue = textValue.transform((text, context): SplitColumn[] => {
  if (text.trim() === '') return []
  const columns = text.split(LEVEL_SEPARATOR).map((part): SplitColumn => {
    const key = part.trim()
    return key.endsWith('*')
      ? { key: key.slice(0, -1).trim(), isHost: true }
      : { key, isHost: false }
  })
  const reason = splitColumnsFault(columns)
  if (reason === undefined) return columns
  context.addIssue({ code: 'custom', message: reason })
  return z.NEVER
})

function splitColumnsFault(columns: readonly SplitColumn[]): string | undefined {
  if (columns.some((column) => column.key === '')) return 'a key is empty'
  if (columns.length >= MAX_LEVELS) return `must have fewer than ${MAX_LEVELS} keys`
  if (columns.filter((column) => column.isHost).length > 1) return 'only one key may be the host'
  const keys = new Set(columns.map((column) => column.key))
  return keys.size === columns.length ? undefined : 'a key is given twice'
}

export const timeZoneValue = z
  .string()
  .refine(
    (text) => text === '' || isTimeZone(text),
    'must be an IANA time zone such as Europe/Berlin',
  )
  .transform((text) => (text === '' ? null : text))

/** As the Encoding Standard names it; '' is the default. */
export const charSetValue = z
  .string()
  .transform((text) => text.trim())
  .refine(isCharSet, 'must be a character set, for example ISO-8859-1')
  .transform((text) => (text === '' ? null : text))

function isCharSet(text: string): boolean {
  if (text === '') return true
  try {
    new TextDecoder(text)
    return true
  } catch {
    return false
  }
}

export const wholeNumberValue = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((number) => number >= min && number <= max, `must be from ${min} to ${max}`)

/** ISO 8601 with its zone; epoch milliseconds. */
export const momentValue = z.iso
  .datetime({ offset: true, error: 'must be a moment such as 2026-03-01T00:00:00Z' })
  .transform((text) => Date.parse(text))

/** Part of a log name (decision 3.4). */
export const logNamePrefixValue = textValue
  .transform((text) => text.trim())
  .refine(
    (text) => text === '' || cleanLevel(text) === text,
    'must hold no ->, | or @#@#, and no character that changes the direction of text',
  )

/** As LOGEYE_NODE_NAME says it; '' is none. */
export const nodeNameValue = textValue
  .transform((text) => text.trim())
  .refine((text) => text === '' || NODE_NAME.test(text), `must be ${NODE_NAME_HINT}`)
  .transform((text) => (text === '' ? null : text))

/** For what can have no effect here: refused and explained, never silently kept (decision 8.5). */
export const refusedValue = (reason: string) => z.string().refine(() => false, reason)

export const DEFAULT_TOKEN_DAYS = 90
const MAX_TOKEN_DAYS = 3650

/** Whole days from now, or a day, of which the last moment in UTC counts. */
export const tokenEndValue = z
  .string()
  .transform((text, context): { days: number } | { endsMs: number } => {
    const days = Number(text)
    if (/^\d{1,4}$/.test(text) && days >= 1 && days <= MAX_TOKEN_DAYS) return { days }
    const endsMs = z.iso.date().safeParse(text).success ? Date.parse(`${text}T23:59:59.999Z`) : NaN
    if (!Number.isNaN(endsMs)) return { endsMs }
    context.addIssue({
      code: 'custom',
      message: `must be days from 1 to ${MAX_TOKEN_DAYS}, or a day such as 2030-12-31`,
    })
    return z.NEVER
  })
