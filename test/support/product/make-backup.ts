// A backup as an operator makes one: asked for, and then looked at until it has ended.
import { z } from 'zod'
import { callSdk, type SdkReply } from '../clients/call-sdk.ts'
import { waitUntil } from '../run/wait-until.ts'

const answerSchema = z.object({ name: z.string(), state: z.string(), reason: z.string() })
const listSchema = z.object({ backups: z.array(answerSchema) })

type Operator = { readonly url: string; readonly password: string }
export type EndedBackup = { readonly state: string; readonly reason: string }

/** One that takes long goes on after the answer; also while the product is away for a moment. */
export async function makeBackup(operator: Operator, name: string): Promise<EndedBackup> {
  const reply = await callSdk(operator, 'backup', { name })
  if (!reply.success) return { state: 'refused', reason: reply.errorMessage ?? '' }
  return await untilBackupEnded(operator, name)
}

/** A backup that nobody knows of has the state `none`. */
export async function untilBackupEnded(operator: Operator, name: string): Promise<EndedBackup> {
  return await waitUntil(`the backup ${name} has ended`, async () => {
    const reply = await callSdk(operator, 'backup', { list: 'true' }).catch(() => undefined)
    const found = reply === undefined ? undefined : stateOf(reply, name)
    return found?.state === 'asked' || found?.state === 'running' ? undefined : found
  })
}

function stateOf(reply: SdkReply, name: string): EndedBackup | undefined {
  const list = listSchema.safeParse(reply.response)
  if (!reply.success || !list.success) return undefined
  const found = list.data.backups.find((one) => one.name === name)
  return { state: found?.state ?? 'none', reason: found?.reason ?? '' }
}
