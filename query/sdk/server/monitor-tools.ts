// What the commands of monitors need beside the database: the searches of a monitor, and the ways
// in which an alert is told.
import type { Mailer } from '../../../infra/mail/open-mailer.ts'
import { Failure } from '../../../schemas/failures.ts'
import { type AlertTarget, type SendDeps, sendNotice } from '../../monitors/tell/send-notice.ts'
import type { TryMonitor } from '../../monitors/try-monitor.ts'
import type { ReadArrived } from '../../search-json/arrived.ts'

type TellTarget = (
  target: AlertTarget,
  message: Parameters<typeof sendNotice>[1],
) => ReturnType<typeof sendNotice>

export type MonitorTools = {
  readonly tryMonitor: TryMonitor
  readonly tellTarget: TellTarget
  readonly readArrived: ReadArrived
}

/** Of a process that runs no searches. */
export function refuseMonitors(clock: SendDeps['clock']): MonitorTools {
  const refuse = () =>
    Promise.reject(new Failure('monitor.rule', { reason: 'this process runs no searches' }))
  return { tryMonitor: refuse, readArrived: refuse, tellTarget: makeTellTarget(undefined, clock) }
}

export function makeTellTarget(
  mail: (() => Mailer) | undefined,
  clock: SendDeps['clock'],
): TellTarget {
  return async (target, message) => {
    const mailer = mail?.()
    try {
      return await sendNotice(target, message, { mailer, clock })
    } finally {
      mailer?.close()
    }
  }
}
