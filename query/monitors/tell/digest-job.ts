// The job that tells together what was gathered for a target, when that is due. Becoming one
// message is one transaction: two schedulers, a kill or a restart tell each alert once. What was
// gathered while the product was down goes with the next one (docs/decisions/0126).
import { listBookAccounts } from '../../../infra/metastore/address-book/book-accounts.ts'
import {
  dropGathered,
  type GatheredTarget,
  listGatheredTargets,
  tellTogether,
} from '../../../infra/metastore/monitors/gathered-messages.ts'
import type { Job, JobContext } from '../../../infra/scheduler/job.ts'
import { ACCOUNT_SETTINGS } from '../../../schemas/address-book.ts'
import { alertNotice } from '../../../schemas/monitors/notice.ts'
import { duesBetween } from '../../../schemas/monitors/schedule.ts'
import { readDuePlan } from '../due-plan.ts'
import { makeDigest } from './make-digest.ts'

const EVERY_MS = 5000
const LIMIT_MS = 120_000

export function makeAlertDigest(deps: { readonly publicUrl: string }): Job {
  return {
    name: 'alert-digest',
    everyMs: EVERY_MS,
    limitMs: LIMIT_MS,
    run: async (context) => {
      const { database, clock, signal } = context
      const link = `${deps.publicUrl.replace(/\/$/, '')}/logeye/manage/alerts`
      for (const target of await listGatheredTargets(database)) {
        if (signal.aborted) return
        const nowMs = clock.nowMs()
        const upToMs = await dueOf(target, nowMs, context)
        if (upToMs === 'gone') await dropGathered(context, target.targetId)
        else if (upToMs !== undefined)
          await tellTogether(context, { targetId: target.targetId, upToMs, nowMs }, (messages) => {
            const told = messages.map(({ alert_id, notice }) => ({
              alertId: Number(alert_id),
              notice: alertNotice.parse(JSON.parse(notice)),
            }))
            return JSON.stringify(makeDigest(told, nowMs, link))
          })
      }
    },
  }
}

/** Up to when it is told: now, where it was due since something was gathered, or gathers no more.
 *  Undefined: it is not due. */
async function dueOf(
  { targetId, firstMs }: GatheredTarget,
  nowMs: number,
  { database, metastore }: JobContext,
): Promise<number | 'gone' | undefined> {
  const account = (await listBookAccounts(database.read)).find(({ id }) => id === targetId)
  if (account?.kind !== 'alertTarget') return 'gone'
  const { digest, timeZone } = ACCOUNT_SETTINGS.alertTarget.parse(account.settings)
  if (digest === '') return nowMs
  const plan = readDuePlan({ schedule: digest, timeZone, businessHours: '' }, metastore)
  const [due] = duesBetween(plan, firstMs, nowMs)
  return due === undefined ? undefined : nowMs
}
