// A rule of masking: what is hidden, and what stands in its place (docs/decisions/0088). One line
// of text, as commands take it: `hash email`, `cut column user.password`, `replace *** card`,
// `hash pattern KD-{digit:6}`.
import { z } from 'zod'
import { parseMaskPattern } from './mask-pattern.ts'

/** What is found by its form. Stand in settings: never change one. */
export const DETECTORS = ['email', 'card', 'ipv4', 'ipv6', 'bearer', 'iban', 'phone'] as const
export type Detector = (typeof DETECTORS)[number]

/** `hash`: a keyed hash, the same for the same value; `cut`: nothing; else this text. */
export type MaskAction =
  | { readonly kind: 'hash' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'replace'; readonly text: string }

export type MaskTarget =
  | { readonly kind: 'detector'; readonly detector: Detector }
  /** The last names of a path, joined by dots, in small letters. */
  | { readonly kind: 'column'; readonly path: string }
  | { readonly kind: 'pattern'; readonly pattern: string }

export type MaskRule = { readonly action: MaskAction; readonly target: MaskTarget }

const MAX_TEXT_CHARACTERS = 64
const MAX_PATH_CHARACTERS = 255
/** Stands in JSON and in JSON within JSON as it is: no quote, backslash or space. */
const REPLACEMENT = /^[!#-[\]-~]+$/

/** A text: what is wrong with it. */
export function parseMaskRule(text: string): MaskRule | string {
  const words = text.trim().split(/ +/)
  const [verb = ''] = words
  const action = parseAction(verb, words[1] ?? '')
  if (typeof action === 'string') return action
  const skipped = action.kind === 'replace' ? 2 : 1
  const target = parseTarget(text.trim().split(/ +/).slice(skipped), text)
  return typeof target === 'string' ? target : { action, target }
}

export function printMaskRule({ action, target }: MaskRule): string {
  const verb = action.kind === 'replace' ? `replace ${action.text}` : action.kind
  if (target.kind === 'detector') return `${verb} ${target.detector}`
  return `${verb} ${target.kind} ${target.kind === 'column' ? target.path : target.pattern}`
}

/** One rule in its printed form: settings keep texts, so that a later program reads them anew. */
export const maskRuleValue = z.string().transform((text, context): string => {
  const rule = parseMaskRule(text)
  if (typeof rule !== 'string') return printMaskRule(rule)
  context.addIssue({ code: 'custom', message: rule })
  return z.NEVER
})

/** Of texts that were checked when they were kept; one that this program cannot read is left
 *  out. */
export function readMaskRules(texts: readonly string[]): MaskRule[] {
  return texts.map(parseMaskRule).filter((rule) => typeof rule !== 'string')
}

function parseAction(verb: string, text: string): MaskAction | string {
  if (verb === 'hash' || verb === 'cut') return { kind: verb }
  if (verb !== 'replace') return 'must begin with hash, cut or replace'
  if (text.length > MAX_TEXT_CHARACTERS || !REPLACEMENT.test(text))
    return `replace must be followed by a text of at most ${MAX_TEXT_CHARACTERS} printable characters without space, quote and backslash`
  return { kind: 'replace', text }
}

function parseTarget(words: readonly string[], rule: string): MaskTarget | string {
  const [kind = '', ...more] = words
  if (kind === 'column') {
    const path = more.join(' ').toLowerCase()
    const isPath = path !== '' && path.length <= MAX_PATH_CHARACTERS
    return isPath ? { kind, path } : 'column must be followed by the name of a column'
  }
  if (kind === 'pattern') {
    // A pattern may hold several spaces in a row.
    const pattern = rule.slice(rule.indexOf(' pattern ') + ' pattern '.length).trim()
    const parsed = more.length === 0 ? 'must not be empty' : parseMaskPattern(pattern)
    return typeof parsed === 'string' ? `pattern ${parsed}` : { kind, pattern }
  }
  const detector = DETECTORS.find((name) => name === kind)
  if (detector !== undefined && more.length === 0) return { kind: 'detector', detector }
  return `must name one of ${DETECTORS.join(', ')}, or column <name>, or pattern <pattern>`
}
