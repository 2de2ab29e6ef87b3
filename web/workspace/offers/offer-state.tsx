import type { OfferTold } from '../../../schemas/portal/offers.ts'
import { Pill } from '../parts/pill.tsx'
import { WORKSPACE } from '../texts.ts'

const TONES = {
  draft: 'faint',
  sent: 'info',
  accepted: 'good',
  rejected: 'error',
  expired: 'warning',
} as const

export function OfferState({ state }: Pick<OfferTold, 'state'>) {
  return <Pill tone={TONES[state]}>{WORKSPACE.offers.states[state]}</Pill>
}
