import type { LicenseTold } from '../../../schemas/portal/accounts.ts'
import { Pill, type Tone } from '../parts/pill.tsx'
import { WORKSPACE } from '../texts.ts'

const TONES: Readonly<Record<LicenseTold['state'], Tone>> = {
  upcoming: 'faint',
  active: 'good',
  expiring: 'warning',
  expired: 'faint',
  suspended: 'warning',
  revoked: 'error',
}

export function LicenseState({ state }: Pick<LicenseTold, 'state'>) {
  return <Pill tone={TONES[state]}>{WORKSPACE.licenses.states[state]}</Pill>
}
