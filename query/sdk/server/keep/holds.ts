// Legal holds as their commands tell them, and whether the caller may know of one.
import type { LegalHold } from '../../../../infra/metastore/retention/legal-holds.ts'
import { ROOT_FOLDER_ID } from '../../../../infra/metastore/tree/tree-cache.ts'
import { printRootPath } from '../print-root-path.ts'
import type { CommandTools } from '../serve-command.ts'

/** By what it holds, not by a path: a log that was removed is hidden from all but those who see
 *  everything. */
export async function isVisibleHold(
  { kind, id }: LegalHold,
  { objects }: Pick<CommandTools, 'objects'>,
): Promise<boolean> {
  if (kind === 'policy') return true
  const { logs, folders } = await objects.viewer()
  if (kind === 'log') return logs === 'all' || logs.has(id)
  return folders === 'all' || id === ROOT_FOLDER_ID || folders.has(id)
}

export function printHold(hold: LegalHold) {
  const { number, kind, id, fromMs, toMs, reason, madeBy, madeMs } = hold
  // '' is what one may not view.
  const target = kind === 'folder' && id === ROOT_FOLDER_ID ? printRootPath([]) : hold.target
  const moment = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString())
  return {
    ...{ number, kind, target, from: moment(fromMs), to: moment(toMs), reason, madeBy },
    madeAt: new Date(madeMs).toISOString(),
  }
}
