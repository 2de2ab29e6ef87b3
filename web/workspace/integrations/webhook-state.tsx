import type { Message, Webhook } from '../api/types.ts'
import { Pill } from '../parts/pill.tsx'
import { WORKSPACE } from '../texts.ts'

const T = WORKSPACE.webhooks
const TONES = { pending: 'info', delivered: 'good', failed: 'error', skipped: 'faint' } as const

export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const { isEnabled, disabledBy } = webhook
  const tone = isEnabled ? 'good' : (disabledBy ?? 'person') === 'person' ? 'faint' : 'error'
  return <Pill tone={tone}>{sayState(webhook)}</Pill>
}

export function sayState({ isEnabled, disabledBy }: Webhook): string {
  return isEnabled ? T.enabled : T.disabledBy[disabledBy ?? 'person']
}

export function MessageState({ state, tries }: Pick<Message, 'state' | 'tries'>) {
  // An attempt has failed, and the next one has its time.
  if (state === 'pending' && tries > 0) return <Pill tone="warning">{T.retried}</Pill>
  return <Pill tone={TONES[state]}>{T.messageStates[state]}</Pill>
}
