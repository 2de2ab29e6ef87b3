// The fields of a form, as the published arguments of its command say them. Pure.
import { argumentFault, listArguments } from '../../../../schemas/sdk/commands.ts'
import { sayHelp } from '../parts/help-text.ts'
import type { ShownKind } from './object-kinds.ts'

/** Between the entries of one argument. */
export const ENTRY_SEPARATOR = '@#@#'

export type Choice = { readonly value: string; readonly text: string }

export type FormField = {
  readonly name: string
  readonly help: string
  readonly hint: string
  readonly isRequired: boolean
  readonly isSecret: boolean
  /** Of a flag: what it is where nobody has set it, as its help tells. */
  readonly isOnByDefault: boolean
  readonly look: 'line' | 'flag' | 'choice' | 'entries' | 'text'
  /** How much it holds: a number, a moment or short name, or any text. */
  readonly holds: 'few' | 'some' | 'any'
  /** Of a choice: what is sent, and how it is told. */
  readonly choices: readonly Choice[]
  /** Of a line: what could stand there. */
  readonly examples: readonly string[]
}

/** As the browser knows them, to complete what is typed. */
const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')]

/** What no form can set. */
const REFUSED = /^(?:[A-Z][^:]*: )?refused/

export function fieldsOf({ command, make, change, notOfIt, first }: ShownKind): FormField[] {
  const acts = new Set([...Object.keys(make), ...Object.keys(change), ...notOfIt, 'verify'])
  const given = listArguments(command)
  const names = given.map(({ name }) => name)
  return given
    .filter(({ name, description }) => !acts.has(name) && !REFUSED.test(description))
    .map(({ name, description, hint, isRequired, isFlag, isFile, isSecret = false }) => {
      const choices = choicesOf(hint)
      const look: FormField['look'] =
        isFlag === true
          ? 'flag'
          : isFile === true
            ? 'text'
            : hint.includes(ENTRY_SEPARATOR)
              ? 'entries'
              : choices.length > 1
                ? 'choice'
                : 'line'
      return {
        ...{ name, hint, isRequired, isSecret, look, choices },
        help: sayHelp({ description, look, names }),
        examples: name === 'timeZone' ? TIME_ZONES : look === 'line' ? examplesOf(hint) : [],
        holds: holdsOf(name, hint),
        isOnByDefault: description.includes('default true'),
      }
    })
    .toSorted((one, other) => rankIn(first, one.name) - rankIn(first, other.name))
}

function rankIn(first: readonly string[], name: string): number {
  const at = first.indexOf(name)
  return at === -1 ? first.length : at
}

/** Numbers and spans of time: `30`, `0-100`, `<number>`. */
const FEW = /^(?:\d+(?:-\d+)?|<number>)$/
/** Sizes and moments: `500 GiB`, `2026-03-01T22:00:00Z`. */
const SOME = /^(?:\d+ [KMGT]iB|\d{4}-\d\d-\d\dT.*)$/
const SHORT_NAMES = new Set(['timeZone', 'charSet', 'region', 'ipMask', 'businessHours', 'cron'])
/** A mark may be a moment, too. */
const MARKS = new Set(['firstMark'])

function holdsOf(name: string, hint: string): FormField['holds'] {
  if (SOME.test(hint) || SHORT_NAMES.has(name) || MARKS.has(name)) return 'some'
  return FEW.test(hint) ? 'few' : 'any'
}

/** `a|[very ]b|<c>`: a, b, very b. */
function examplesOf(hint: string): string[] {
  if (!hint.includes('|')) return []
  return hint
    .split('|')
    .filter((one) => !one.startsWith('<'))
    .flatMap((one) => {
      const [, before, rest = ''] = /^\[([^\]]*)\](.*)$/.exec(one) ?? []
      return before === undefined ? [one] : [rest, `${before}${rest}`]
    })
}

/** `a|b|c`; behind it may stand the short words for the same, `(x|y|z)`, which are what the server
 *  tells. None for any other hint, such as one of examples (`new|15m|1h`). */
function choicesOf(hint: string): Choice[] {
  const [, words = '', short = ''] = /^(.*?)(?: \(([^)]*)\))?$/.exec(hint) ?? []
  if (!words.includes('|') || /[<>{},]|(?:^|\|)\d|->/.test(words)) return []
  const values = short.split('|')
  return words.split('|').map((text, at) => ({ value: values[at] || text, text }))
}

/** What is wrong with the value of one argument; undefined: nothing. */
export function faultOf(kind: ShownKind, name: string, value: string): string | undefined {
  return argumentFault(kind.command, name, value)
}

const GIVEN = 'set.'

/** `set.query=error` of the address: a page that leads here has filled it in. Anybody can make such
 *  a link: it fills in what the form shows before it is sent, and no secret. */
export function readGiven(
  parameters: URLSearchParams,
  fields: readonly FormField[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    fields.flatMap(({ name, isSecret }) => {
      const value = parameters.get(`${GIVEN}${name}`)
      return value === null || isSecret ? [] : [[name, value]]
    }),
  )
}
