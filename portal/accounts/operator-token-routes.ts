// Tokens of the vendor's staff for programs: made by operators, shown once, revoked at once.
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { Failure } from '../../schemas/failures.ts'
import type { Maker } from '../../schemas/portal/accounts.ts'
import { pageOf, pageQuery } from '../../schemas/portal/common.ts'
import { newOperatorToken, operatorToken, operatorTokenMade } from '../../schemas/portal/people.ts'
import { personOf } from '../access/caller.ts'
import { newId } from '../access/ids.ts'
import { readMakers } from '../access/makers.ts'
import { makeSecret } from '../access/secrets.ts'
import type { CredentialRow } from '../database/tables.ts'
import type { PortalDeps } from '../deps.ts'
import { InvalidRequest } from '../edge/invalid-request.ts'
import { insertCredential } from './credentials.ts'

const TAG = 'operator tokens'
const PATH = '/operator-tokens'
const ALLOWS = { roles: ['operator'], operator: true } as const

export function makeOperatorTokenRoutes(deps: PortalDeps): ServedRoute[] {
  const { database, clock, cursors, serve } = deps
  return [
    serve.write(
      {
        ...{ method: 'POST', path: PATH, tag: TAG, operationId: 'createOperatorToken' },
        summary: 'Make an operator token',
        allows: ALLOWS,
        body: newOperatorToken,
        answers: {
          201: { description: 'The token is shown here alone.', schema: operatorTokenMade },
        },
      },
      async ({ body, caller, nowMs }) => {
        const madeBy = personOf(caller)
        const secret = makeSecret('operator', clock)
        const id = newId('crd', clock)
        const expiresMs = body.expiresAt === undefined ? undefined : Date.parse(body.expiresAt)
        if (expiresMs !== undefined && expiresMs <= nowMs)
          throw new InvalidRequest([{ pointer: '/expiresAt', message: 'is past' }])
        return async (transaction) => {
          await insertCredential(transaction, secret, {
            ...{ id, kind: 'operator', name: body.name, organizationId: null, ownerId: null },
            ...{ nowMs, madeBy },
            ...(expiresMs === undefined ? {} : { expiresMs }),
          })
          const row = {
            ...{ id, name: body.name, last4: secret.last4, created_ms: nowMs },
            ...{ expires_ms: expiresMs ?? null, revoked_ms: null, made_by: madeBy },
          }
          const makerOf = await readMakers(transaction, [row], undefined)
          return {
            ...{ status: 201, target: id, isSecret: true },
            body: { operatorToken: tell(row, makerOf(row)), token: secret.text },
          }
        }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: PATH, tag: TAG, operationId: 'listOperatorTokens' },
        summary: 'Operator tokens',
        allows: ALLOWS,
        query: pageQuery,
        answers: { 200: { description: 'A page.', schema: pageOf(operatorToken) } },
      },
      async ({ query, list }) => {
        const { cursor, limit } = query
        let rows = database.read
          .selectFrom('credentials')
          .selectAll()
          .where('kind', '=', 'operator')
          .orderBy('id', 'desc')
          .limit(limit + 1)
        if (cursor !== undefined) rows = rows.where('id', '<', cursors.read(cursor, list))
        const found = await rows.execute()
        const makerOf = await readMakers(database.read, found, undefined)
        return {
          body: cursors.page(found, {
            ...{ limit, list, keyOf: ({ id }) => id },
            tell: (row) => tell(row, makerOf(row)),
          }),
        }
      },
    ),
    serve.write(
      {
        ...{ method: 'DELETE', path: `${PATH}/{tokenId}`, tag: TAG },
        operationId: 'revokeOperatorToken',
        summary: 'Revoke an operator token',
        allows: ALLOWS,
        answers: { 204: { description: 'It is refused from now on.' } },
      },
      async ({ path, nowMs }) =>
        async (transaction) => {
          const ended = await transaction
            .updateTable('credentials')
            .set({ revoked_ms: nowMs })
            .where('kind', '=', 'operator')
            .where('id', '=', path('tokenId'))
            .where('revoked_ms', 'is', null)
            .executeTakeFirst()
          if (Number(ended.numUpdatedRows) === 0)
            throw new Failure('portal.not_found', { what: 'operator token in force' })
          return { target: path('tokenId') }
        },
    ),
  ]
}

type Told = Pick<
  CredentialRow,
  'id' | 'name' | 'last4' | 'created_ms' | 'expires_ms' | 'revoked_ms'
>

function tell({ id, name, last4, created_ms, expires_ms, revoked_ms }: Told, madeBy: Maker | null) {
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
  return {
    ...{ id, name, last4, createdAt: new Date(created_ms).toISOString(), madeBy },
    ...{ expiresAt: time(expires_ms), revokedAt: time(revoked_ms) },
  }
}
