// Legal holds as their commands tell them, and whether the caller may know of one.
import type { LegalHold } from '../../../../infra/metastore/retention/legal-holds.ts'
import { isFailure } from '../../../../schemas/failures.ts'
import { LEVEL_SEPARATOR } from '../../../../schemas/names/log-path.ts'
import type { CommandTools } from '../serve-command.ts'

export async function isVisibleHold(
  { kind, target }: LegalHold,
  { requireVisible }: Pick<CommandTools, 'requireVisible'>,
): Promise<boolean> {
  if (kind === 'policy') return true
  try {
    await requireVisible({ kind, levels: target === '' ? [] : target.split(LEVEL_SEPARATOR) })
    return true
  } catch (error) {
    if (isFailure(error)) return false
    throw error
  }
}

export function printHold(hold: LegalHold) {
  const { number, kind, target, fromMs, toMs, reason, madeBy, madeMs } = hold
  const moment = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString())
  return {
    ...{ number, kind, target, from: moment(fromMs), to: moment(toMs), reason, madeBy },
    madeAt: new Date(madeMs).toISOString(),
  }
}
