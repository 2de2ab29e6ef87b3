// Paths of folders and logs (decision 3.4). One key per path, also the text a person reads: levels
// joined by '->'.

export const LEVEL_SEPARATOR = '->'
export const MAX_LEVELS = 20
export const MAX_LEVEL_CHARACTERS = 255
/** The folder that is ours. */
export const SYSTEM_FOLDER = 'System'
/** Before every path where one is shown, and no name of a top level: it would be read as that. */
export const ROOT_NAME = 'ROOT'
/** Log of events that could not be stored as they were meant, `System->rejected` (decision
 *  3.10). */
export const REJECTED_LOG = 'rejected'
/** Log of what the audit log has, `System->audit`: only who may read the audit log sees it
 *  (docs/decisions/0046). */
export const AUDIT_LOG = 'audit'
/** Log of alerts, `System->alerts` (docs/decisions/0091). */
export const ALERTS_LOG = 'alerts'

/** `Web->Edge`; the root is ROOT, as in every answer. */
export function printFolder(levels: readonly string[]): string {
  return levels.length === 0 ? ROOT_NAME : levels.join(LEVEL_SEPARATOR)
}

/** `Web->Edge->access`: unique, since no level can hold '->'. */
export function logPathKey(folder: readonly string[], name: string): string {
  return folder.length === 0 ? name : `${folder.join(LEVEL_SEPARATOR)}${LEVEL_SEPARATOR}${name}`
}

/** Control characters, also those of text direction, '->', '|' and '@#@#' become '_'; trimmed; cut
 *  at 255 characters. May give ''. */
export function cleanLevel(text: string): string {
  // Trimmed first: a line end after the name is white space, inside it is a control character.
  const replaced = text
    .trim()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
    .replace(/@#@#|->|[|\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '_')
  return replaced.length <= MAX_LEVEL_CHARACTERS
    ? replaced
    : [...replaced].slice(0, MAX_LEVEL_CHARACTERS).join('').trim()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
export const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/

/** Embeddings, overrides and isolates: the text after one is shown in another order. */
const DIRECTION_CONTROL = /[\u202a-\u202e\u2066-\u2069]/

/** Why a text that is shown as a name may not be one; undefined: it may. */
export function directionFault(text: string): string | undefined {
  return DIRECTION_CONTROL.test(text)
    ? 'must hold no character that changes the direction of text'
    : undefined
}

/** Why an operator may not give this name, which is trimmed; undefined: it may be given. Names that
 *  come with events are cleaned instead. */
export function levelFault(name: string): string | undefined {
  if (name === '') return 'must not be empty'
  if ([...name].length > MAX_LEVEL_CHARACTERS)
    return `must have at most ${MAX_LEVEL_CHARACTERS} characters`
  if (CONTROL_CHARACTER.test(name)) return 'must hold no control character'
  const direction = directionFault(name)
  if (direction !== undefined) return direction
  if (/@#@#|->|\|/.test(name)) return 'must hold no ->, | or @#@#'
  if (/\p{Surrogate}/u.test(name)) return 'must be valid Unicode'
  return name === ROOT_NAME ? `must not be ${ROOT_NAME}` : undefined
}
