// apply: the plan is made and shown first, and then carried out as it was shown or not at all.
import {
  type ConfigurationAnswer,
  configurationAnswerSchema,
} from '../../../../schemas/object-report.ts'
import type { Reply } from '../send-call.ts'

type Given = Readonly<Record<string, string>>

export async function sendPlanned(
  given: Given,
  send: (given: Given) => Promise<Reply>,
  show: (plan: ConfigurationAnswer) => void,
): Promise<Reply> {
  if (given.dryRun === 'true' || given.plan !== undefined) return await send(given)
  const planned = await send({ ...given, dryRun: 'true' })
  if (planned.kind !== 'answered' || !planned.envelope.success) return planned
  const plan = configurationAnswerSchema.parse(planned.envelope.response)
  if (plan.objects.length > 0) show(plan)
  return await send({ ...given, plan: plan.plan })
}
