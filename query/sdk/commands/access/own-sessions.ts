// ownSessions: lists and ends the caller's sessions.
import {
  endSession,
  endSessionsOf,
  listSessions,
} from '../../../../infra/metastore/access/sessions.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { ownSessions as published } from '../../../../schemas/sdk/access/own-sessions.ts'
import { requireOwnUser } from '../../server/require-user.ts'
import { serveCommand } from '../../server/serve-command.ts'

/** Names a session in a list; nobody finds the cookie from it. */
const ID_CHARACTERS = 12

export const ownSessions = serveCommand(published, ({ action, id }, { caller }) => {
  const user = requireOwnUser(caller)
  const own = caller.by.kind === 'session' ? caller.by.session.idHash : ''
  return async (transaction) => {
    if (action === 'endOthers') {
      await endSessionsOf(transaction, user.id, own)
      return { ended: true as const }
    }
    const sessions = await listSessions(transaction, user.id)
    if (action === 'end') {
      const found = sessions.find(({ idHash }) => idHash.slice(0, ID_CHARACTERS) === id)
      if (found === undefined) throw new Failure('request.not_found', { what: 'session' })
      await endSession(transaction, found.idHash)
      return { ended: true as const }
    }
    return {
      sessions: sessions.map(({ idHash, signedInBy, address, madeMs, usedMs, endsMs }) => ({
        ...{ id: idHash.slice(0, ID_CHARACTERS), isThis: idHash === own, signedInBy, address },
        ...{ began: formatMs(madeMs), used: formatMs(usedMs), ends: formatMs(endsMs) },
      })),
    }
  }
})

function formatMs(ms: number): string {
  return new Date(ms).toISOString()
}
