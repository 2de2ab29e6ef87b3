// The maskers of listener accounts: rules of the account, and those of the template that an event
// meets (docs/decisions/0088). Made once for each version of an account.
import type { ListenerAccount } from '../../schemas/listener-account.ts'
import { type MaskRule, readMaskRules } from '../../schemas/masking/mask-rule.ts'
import { findTemplate, type Template } from '../../schemas/templates/template.ts'
import { lineTemplate } from '../split/template/account-templates.ts'
import type { EventKind } from './event-masker.ts'
import { type HashValue, Masker } from './masker.ts'
import { readProductType } from './product-type.ts'

export class AccountMask {
  readonly plain: Masker
  readonly #account: ListenerAccount
  readonly #hash: HashValue
  readonly #rules: readonly MaskRule[]
  readonly #byTemplate = new Map<Template, Masker>()
  readonly #ofLines: Masker
  readonly #hasTyped: boolean

  constructor(account: ListenerAccount, hash: HashValue) {
    this.#account = account
    this.#hash = hash
    this.#rules = readMaskRules(account.maskRules ?? [])
    this.plain = this.#make(this.#rules)
    const ofLines = lineTemplate(account)
    this.#ofLines = ofLines === undefined ? this.plain : this.#ofTemplate(ofLines)
    this.#hasTyped = (account.templates ?? []).some(hasRules)
  }

  /** Nothing is ever hidden. */
  get isEmpty(): boolean {
    const hasNone = this.#rules.length === 0 && !this.#hasTyped
    return hasNone && this.#ofLines.rules.length === 0
  }

  /** For one event. */
  of(bytes: Uint8Array, start: number, end: number, kind: EventKind): Masker {
    if (kind === 'line') return this.#ofLines
    if (!this.#hasTyped) return this.plain
    // Nobody knows what a broken event would have met.
    if (kind === 'broken') return this.#ofAll()
    const type = readProductType(bytes, start, end)
    const { templates = [] } = this.#account
    const template = type === undefined ? undefined : findTemplate(templates, type)
    return template === undefined ? this.plain : this.#ofTemplate(template)
  }

  #ofTemplate(template: Template): Masker {
    if (!hasRules(template)) return this.plain
    const known = this.#byTemplate.get(template)
    if (known !== undefined) return known
    const masker = this.#make([...this.#rules, ...readMaskRules(template.maskRules ?? [])])
    this.#byTemplate.set(template, masker)
    return masker
  }

  #ofAll(): Masker {
    const { templates = [] } = this.#account
    const texts = templates.flatMap(({ maskRules = [] }) => maskRules)
    return this.#make([...this.#rules, ...readMaskRules(texts)])
  }

  #make(rules: readonly MaskRule[]): Masker {
    const { messageKeys, splitColumns } = this.#account
    const host = splitColumns.filter(({ isHost }) => isHost).map(({ key }) => key)
    return new Masker(rules, this.#hash, { message: messageKeys, host })
  }
}

function hasRules({ maskRules = [] }: Pick<Template, 'maskRules'>): boolean {
  return maskRules.length > 0
}
