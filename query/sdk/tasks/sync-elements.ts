// The elements of the file of a log sync task, with their attributes (product facts 12). The names
// of the element of checksums and of its `retry` are ours: the facts do not tell them.
import { directoryFault, MAX_SCAN_LEVEL } from '../../../schemas/sdk/task-values.ts'

/** Why a value is refused. */
type Check = (value: string) => string | undefined

export type ElementRule = {
  readonly required?: Readonly<Record<string, Check>>
  readonly optional?: Readonly<Record<string, Check>>
  /** Least and most of each. */
  readonly children?: Readonly<Record<string, readonly [least: number, most: number]>>
}

const MAX_TEXT_CHARACTERS = 4000
const MAX_DAYS = 36_500
const ANY_NUMBER = 10_000

const text: Check = (value) =>
  value.length > MAX_TEXT_CHARACTERS
    ? `must have at most ${MAX_TEXT_CHARACTERS} characters`
    : undefined
const name: Check = (value) => (value.trim() === '' ? 'must not be empty' : text(value))
const directory: Check = (value) => text(value) ?? directoryFault(value.trim())
const oneOf = (...words: readonly string[]): Check => {
  return (value) => (words.includes(value) ? undefined : `must be ${words.join(' or ')}`)
}
const wholeNumber =
  (min: number, max: number): Check =>
  (value) =>
    /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max
      ? undefined
      : `must be a whole number from ${min} to ${max}`
const orEmpty =
  (check: Check): Check =>
  (value) =>
    value === '' ? undefined : check(value)
const interval: Check = (value) =>
  /^[1-9]\d{0,4}[mhd]$/.test(value) ? undefined : 'must be a number with m, h or d, such as 12h'

export const ROOT_ELEMENT = 'SyncLogsConfiguration'

export const SYNC_ELEMENTS: Readonly<Record<string, ElementRule>> = {
  [ROOT_ELEMENT]: {
    children: {
      SyncLogsRepository: [1, 1],
      SyncLogsChecksum: [0, 1],
      SyncLogsNode: [1, ANY_NUMBER],
    },
  },
  SyncLogsRepository: {
    required: { repositoryDirectory: directory },
    optional: { timeToKeep: orEmpty(wholeNumber(1, MAX_DAYS)) },
  },
  SyncLogsNode: {
    required: { repositoryDirectory: directory },
    children: {
      Remote: [0, 1],
      SyncLogsChecksum: [0, 1],
      SyncLogsDirectory: [1, ANY_NUMBER],
    },
  },
  Remote: { children: { Account: [1, 1] } },
  Account: { required: { name }, optional: { classKey: text } },
  SyncLogsDirectory: {
    required: { syncDirectory: directory },
    optional: {
      directoriesToInclude: text,
      directoriesToExclude: text,
      filesToInclude: text,
      filesToExclude: text,
      subdirsScanLevel: orEmpty(wholeNumber(0, MAX_SCAN_LEVEL)),
    },
  },
  SyncLogsChecksum: {
    required: { algorithm: oneOf('MD5', 'SHA-1'), interval },
    optional: { enabled: oneOf('true', 'false'), retry: orEmpty(wholeNumber(0, 10)) },
  },
}
