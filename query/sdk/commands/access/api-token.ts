// apiToken: makes, lists and removes the caller's API tokens.
import {
  addApiToken,
  listApiTokens,
  removeApiToken,
} from '../../../../infra/metastore/access/api-tokens.ts'
import { editUser } from '../../../../infra/metastore/users/user-changes.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { apiToken as published } from '../../../../schemas/sdk/access/api-token.ts'
import { DEFAULT_TOKEN_DAYS } from '../../../../schemas/sdk/values.ts'
import { requireOwnUser, requireUserNamed } from '../../server/require-user.ts'
import { serveCommand } from '../../server/serve-command.ts'

const DAY_MS = 86_400_000

export const apiToken = serveCommand(published, (input, { clock, caller }) => {
  const { action, name = '', ends = { days: DEFAULT_TOKEN_DAYS }, policy, userName } = input
  const own = requireOwnUser(caller)
  const endsMs = 'days' in ends ? clock.nowMs() + ends.days * DAY_MS : ends.endsMs
  if (endsMs <= clock.nowMs())
    throw new Failure('sdk.argument', { argument: 'ends', reason: 'is over' })
  return async (transaction) => {
    const userId = await requireUserNamed(transaction, userName, caller)
    switch (action) {
      case 'add': {
        const given = { userId: own.id, name, endsMs, policy }
        const token = await addApiToken(transaction, clock, given)
        return { name, token, ends: formatMs(endsMs) }
      }
      case 'remove':
        await removeApiToken(transaction, userId, name)
        // A change of the user: it is about all that he holds.
        if (userName !== undefined && userId !== own.id) await editUser(transaction, userName, {})
        return { name, removed: true as const }
      case 'list': {
        const tokens = await listApiTokens(transaction, userId)
        const nowMs = clock.nowMs()
        return {
          tokens: tokens.map(({ madeMs, endsMs: endMs, ...told }) => ({
            ...told,
            made: formatMs(madeMs),
            ends: formatMs(endMs),
            hasEnded: endMs <= nowMs,
          })),
        }
      }
    }
  }
})

function formatMs(ms: number): string {
  return new Date(ms).toISOString()
}
