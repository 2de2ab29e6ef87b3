// addExpectedSilence: of a folder or a log of which the caller may view all.
import { takeIds } from '../../../../infra/metastore/counters.ts'
import { concernsOfPath } from '../../../../infra/metastore/event-paths/node-concerns.ts'
import { Failure, isFailure } from '../../../../schemas/failures.ts'
import { LEVEL_SEPARATOR } from '../../../../schemas/names/log-path.ts'
import { addExpectedSilence as published } from '../../../../schemas/sdk/silence/add-expected-silence.ts'
import { printRootPath } from '../../server/print-root-path.ts'
import { type CommandTools, serveAct } from '../../server/serve-command.ts'

export const addExpectedSilence = serveAct(
  published,
  async (input, tools) => {
    const { path, reason = '', to } = input
    const nowMs = tools.clock.nowMs()
    const { from = nowMs } = input
    if (to !== undefined && to <= from)
      throw new Failure('sdk.argument', { argument: 'to', reason: 'must be after -from, or now' })
    if (path.length > 0) await requireFolderOrLog(path, tools)
    return async (transaction) => {
      const id = await takeIds(transaction, 'expectedSilence', 1)
      await transaction
        .insertInto('expected_silences')
        .values({
          ...{ id, path: JSON.stringify(path), from_ms: from, to_ms: to ?? null, reason },
          ...{ made_by: tools.caller.user.name, made_ms: nowMs },
        })
        .execute()
      return { id, path: printRootPath(path) }
    }
  },
  ({ path }, _, nodes) => {
    const concerns = concernsOfPath(path, nodes)
    if (concerns.length === 0) throw notFound(path)
    return concerns
  },
)

/** What is hidden is answered as what is not there is. */
async function requireFolderOrLog(
  levels: readonly string[],
  { requireVisible }: CommandTools,
): Promise<void> {
  try {
    await requireVisible({ kind: 'folder', levels })
    await requireVisible({ kind: 'log', levels })
  } catch (error) {
    if (isFailure(error) && error.code === 'object.not_found') throw notFound(levels)
    throw error
  }
}

function notFound(levels: readonly string[]): Failure {
  return new Failure('object.not_found', {
    kind: 'folder or log',
    name: levels.join(LEVEL_SEPARATOR),
  })
}
