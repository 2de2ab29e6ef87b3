// The templates that the events of one account version meet (decisions 2.10, 3.9), made ready when
// the first event wants one.
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import { BUILT_IN_TEMPLATES } from '../../../schemas/templates/built-in-templates.ts'
import { findTemplate, type Template, templateNamed } from '../../../schemas/templates/template.ts'
import type { TimeZone } from '../../../schemas/time/time-zone.ts'
import { PatternFault } from '../../patterns/language/pattern.ts'
import { TemplateMatcher } from '../../patterns/match/template-matcher.ts'
import type { Locate } from './locator.ts'
import { TemplateColumns } from './template-columns.ts'

/** Senders choose what stands in `productType`. */
const MAX_KNOWN_TYPES = 1000
const MAX_TYPE_CHARACTERS = 1000
/** Stands for the name of a template where an account has patterns alone. */
const OWN_PATTERNS = 'pattern of the listener'

export type AppliedTemplate = {
  readonly name: string
  /** Of its events, where they name none themselves. */
  readonly typeWords: string
  readonly columns: TemplateColumns
}

/** One for all accounts and splitters: a matcher keeps nothing from one event to the next. */
const matchers = new WeakMap<readonly string[], TemplateMatcher>()

export class AccountTemplates {
  readonly #templates: readonly Template[]
  readonly #zone: TimeZone
  readonly #locate: Locate | undefined
  readonly #byType = new Map<string, AppliedTemplate | null>()
  /** Of lines of text; undefined: a line is its message and nothing else. */
  readonly ofLines: AppliedTemplate | undefined

  /** `zone`: of times that name none. `locate`: for `{geoip}`. */
  constructor(account: ListenerAccount, zone: TimeZone, locate: Locate | undefined) {
    this.#templates = account.templates ?? BUILT_IN_TEMPLATES
    this.#zone = zone
    this.#locate = locate
    const template = lineTemplate(account)
    if (template !== undefined) this.ofLines = this.#apply(template)
  }

  /** `typeWords`: as the event names them. */
  ofType(typeWords: string): AppliedTemplate | undefined {
    const known = this.#byType.get(typeWords)
    if (known !== undefined) return known ?? undefined
    if (typeWords.length > MAX_TYPE_CHARACTERS) return undefined
    const template = findTemplate(this.#templates, typeWords)
    const applied = template === undefined ? undefined : this.#apply(template)
    if (this.#byType.size >= MAX_KNOWN_TYPES) this.#byType.clear()
    this.#byType.set(Buffer.from(typeWords).toString(), applied ?? null)
    return applied
  }

  #apply({ name, logTypes, patterns }: Template): AppliedTemplate | undefined {
    const matcher = matcherOf(patterns)
    if (matcher === undefined) return undefined
    const columns = new TemplateColumns(matcher, this.#zone, this.#locate)
    return { name, typeWords: logTypes.join(' '), columns }
  }
}

/** What an account makes of lines: its own patterns go before those of its template. One that is
 *  disabled or gone is none. */
export function lineTemplate(account: ListenerAccount): Template | undefined {
  const { template: name = '', patterns = [], templates = BUILT_IN_TEMPLATES } = account
  const template = name === '' ? undefined : templateNamed(templates, name)
  if (patterns.length === 0) return template
  return {
    name: template?.name ?? OWN_PATTERNS,
    logTypes: template?.logTypes ?? [],
    patterns: template === undefined ? patterns : [...patterns, ...template.patterns],
    maskRules: template?.maskRules,
  }
}

/** undefined: this program cannot read a pattern that another release took. */
function matcherOf(patterns: readonly string[]): TemplateMatcher | undefined {
  const known = matchers.get(patterns)
  if (known !== undefined) return known
  try {
    const matcher = new TemplateMatcher(patterns)
    matchers.set(patterns, matcher)
    return matcher
  } catch (error) {
    if (error instanceof PatternFault) return undefined
    throw error
  }
}
