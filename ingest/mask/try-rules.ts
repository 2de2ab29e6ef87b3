// A dry run of rules on the text of a stored event.
import type { ListenerAccount } from '../../schemas/listener-account.ts'
import { readMaskRules } from '../../schemas/masking/mask-rule.ts'
import { type HashValue, Masker } from './masker.ts'

const KEPT_RULES = 4

/** Gives the counts of values by rule as well. One for many events: rules are made ready once. */
export function makeTryMask(hash: HashValue) {
  const known = new Map<string, Masker>()
  const maskerOf = (rules: readonly string[], account: ListenerAccount): Masker => {
    const key = JSON.stringify([rules, account.id, account.version])
    let masker = known.get(key)
    if (masker === undefined) {
      const host = account.splitColumns.filter(({ isHost }) => isHost).map(({ key: name }) => name)
      masker = new Masker(readMaskRules(rules), hash, { message: account.messageKeys, host })
      if (known.size >= KEPT_RULES) known.clear()
      known.set(key, masker)
    }
    return masker
  }
  return (rules: readonly string[], event: string, account: ListenerAccount) => {
    const bytes = Buffer.from(event, 'utf8')
    const kind = /^\s*["{]/.test(event) ? ('json' as const) : ('line' as const)
    const counts = new Uint32Array(rules.length)
    const whole = { start: 0, end: bytes.length, kind }
    const masked = maskerOf(rules, account).mask(bytes, whole, { counts })
    return { after: masked?.toString('utf8'), counts: [...counts] }
  }
}
