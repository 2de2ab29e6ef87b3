import type { DeploymentTold } from '../../../schemas/portal/deployments.ts'
import { Pill } from '../parts/pill.tsx'
import { WORKSPACE } from '../texts.ts'

const TONES = { registered: 'good', silent: 'warning', retired: 'faint' } as const

export function DeploymentState({
  deployment: { state, alerts },
}: {
  readonly deployment: Pick<DeploymentTold, 'state' | 'alerts'>
}) {
  const { states, conflict } = WORKSPACE.deployments
  return (
    <span class="row wrap">
      <Pill tone={TONES[state]}>{states[state]}</Pill>
      {alerts.length > 0 && <Pill tone="error">{conflict}</Pill>}
    </span>
  )
}
