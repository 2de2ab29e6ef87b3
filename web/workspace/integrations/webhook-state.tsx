import type { Message, Webhook } from '../api/types.ts'
import { Pill } from '../parts/pill.tsx'
import { WORKSPACE } from '../texts.ts'

const T = WORKSPACE.webhooks
const TONES = { pending: 'info', delivered: 'good', failed: 'error', skipped: 'faint' } as const

export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  if (webhook.isEnabled) return <Pill tone="good">{T.enabled}</Pill>
  const by = webhook.disabledBy ?? 'person'
  return <Pill tone={by === 'person' ? 'faint' : 'error'}>{T.disabledBy[by]}</Pill>
}

export function MessageState({ state }: Pick<Message, 'state'>) {
  return <Pill tone={TONES[state]}>{T.messageStates[state]}</Pill>
}
