// People of an organization: made by operators, by the vendor's sales staff and by the admins of a
// customer, each within the roles of that organization.
import { foldName } from '../../infra/database/fold-name.ts'
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { hashPassword } from '../../infra/metastore/users/password.ts'
import { Failure } from '../../schemas/failures.ts'
import { newPerson, organizationKind, type Person, person } from '../../schemas/portal/accounts.ts'
import { pageOf, pageQuery } from '../../schemas/portal/common.ts'
import { changedPerson, removedPersonQuery } from '../../schemas/portal/people.ts'
import { PERSON_ROLES, ROLES_OF } from '../../schemas/portal/roles.ts'
import { isOperator, requireActing } from '../access/caller.ts'
import { newId } from '../access/ids.ts'
import type { PortalReader } from '../database/open.ts'
import type { PersonRow } from '../database/tables.ts'
import type { PortalDeps } from '../deps.ts'
import { InvalidRequest } from '../edge/invalid-request.ts'
import { beginAnew, isOfCustomersAlone } from './begin-anew.ts'
import { revokeCredentials } from './credentials.ts'
import { countMade, endMade } from './made-by.ts'
import { endLinks, sendLink } from './one-time-links.ts'

const TAG = 'people'
const MANAGERS = { roles: ['customer_admin', 'operator'], operator: true } as const

export function makePeopleRoutes(deps: PortalDeps): ServedRoute[] {
  const { database, clock, cursors, serve, hasMail } = deps
  return [
    serve.write(
      {
        ...{ method: 'POST', path: '/people', tag: TAG, operationId: 'createPerson' },
        summary: 'Make a person of the acting organization',
        description:
          'Somebody who is known already by this e-mail address, in another organization, becomes a member of this one, too, where an operator says so; password, second factor and sessions begin anew, unless the person is of the vendor or of a channel. To others than operators such an address is taken.',
        allows: MANAGERS,
        body: newPerson,
        answers: { 201: { description: 'The person.', schema: person } },
      },
      async ({ body, caller, nowMs }) => {
        const organizationId = requireActing(caller)
        if (body.password === undefined && !hasMail) throw new Failure('portal.no_mail')
        const passwordHash =
          body.password === undefined ? '' : await hashPassword(body.password, clock)
        return async (transaction) => {
          await requireRoleOf(transaction, organizationId, body.role)
          const folded = foldName(body.email)
          const people = transaction.selectFrom('people').selectAll()
          const known = await people.where('email_folded', '=', folded).executeTakeFirst()
          let row: PersonRow = known ?? {
            ...{ id: newId('per', clock), email: body.email, email_folded: folded },
            ...{ name: body.name, password_hash: passwordHash, second_factor: null },
            ...{ totp_step: 0, is_enabled: 1, created_ms: nowMs },
            ...{ pending_factor: '', recovery_hashes: '[]' },
          }
          if (known === undefined) await transaction.insertInto('people').values(row).execute()
          else if (!isOperator(caller))
            throw new Failure('portal.exists', { what: 'person', name: body.email })
          else if (await isOfCustomersAlone(transaction, row.id))
            row = await beginAnew(transaction, row, { passwordHash, nowMs })
          const added = await transaction
            .insertInto('memberships')
            .values({
              ...{ person_id: row.id, organization_id: organizationId },
              ...{ role: body.role, created_ms: nowMs },
            })
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirst()
          if (Number(added.numInsertedOrUpdatedRows) === 0)
            throw new Failure('portal.exists', { what: 'person', name: body.email })
          if (row.password_hash === '') await sendLink(transaction, row, 'invitation', deps)
          const told = await tellPeople(transaction, [row], organizationId, nowMs)
          return { status: 201, body: told[0], target: row.id }
        }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: '/people', tag: TAG, operationId: 'listPeople' },
        summary: 'People of the acting organization',
        allows: MANAGERS,
        query: pageQuery,
        answers: { 200: { description: 'A page.', schema: pageOf(person) } },
      },
      async ({ caller, query, list, nowMs }) => {
        const organizationId = requireActing(caller)
        const { cursor, limit } = query
        let rows = database.read
          .selectFrom('people')
          .selectAll('people')
          .innerJoin('memberships', 'memberships.person_id', 'people.id')
          .where('memberships.organization_id', '=', organizationId)
          .orderBy('people.id', 'desc')
          .limit(limit + 1)
        if (cursor !== undefined) rows = rows.where('people.id', '<', cursors.read(cursor, list))
        const told = await tellPeople(database.read, await rows.execute(), organizationId, nowMs)
        return {
          body: cursors.page(told, { limit, list, keyOf: ({ id }) => id, tell: (it) => it }),
        }
      },
    ),
    serve.write(
      {
        ...{ method: 'PATCH', path: '/people/{personId}', tag: TAG, operationId: 'changePerson' },
        summary: 'Change the role of a person in the acting organization, or disable the person',
        allows: MANAGERS,
        body: changedPerson,
        answers: { 200: { description: 'As it is now.', schema: person } },
      },
      async ({ body, caller, path, nowMs }) => {
        const organizationId = requireActing(caller)
        if (body.isEnabled !== undefined && !isOperator(caller))
          throw new Failure('portal.forbidden')
        return async (transaction) => {
          const row = await findMember(transaction, path('personId'), organizationId)
          if (body.role !== undefined) {
            await requireRoleOf(transaction, organizationId, body.role)
            await transaction
              .updateTable('memberships')
              .set({ role: body.role })
              .where('person_id', '=', row.id)
              .where('organization_id', '=', organizationId)
              .execute()
          }
          const isEnabled = body.isEnabled ?? row.is_enabled === 1
          const changed = { is_enabled: isEnabled ? 1 : 0 }
          await transaction.updateTable('people').set(changed).where('id', '=', row.id).execute()
          const sessions = { kind: 'session', ownerId: row.id } as const
          if (!isEnabled) {
            await revokeCredentials(transaction, sessions, nowMs)
            await endLinks(transaction, row.id, nowMs)
          }
          if (body.revokeKeys)
            await endMade(
              transaction,
              row.id,
              // Operators alone disable a person, everywhere.
              body.isEnabled === false ? undefined : organizationId,
              nowMs,
            )
          const told = await tellPeople(
            transaction,
            [{ ...row, ...changed }],
            organizationId,
            nowMs,
          )
          return { body: told[0], target: row.id }
        }
      },
    ),
    serve.write(
      {
        ...{ method: 'DELETE', path: '/people/{personId}', tag: TAG, operationId: 'removePerson' },
        summary: 'Take a person out of the acting organization',
        description:
          'Of other organizations the person stays a member. API keys, operator tokens and webhooks that the person made stay in force, unless the call says otherwise.',
        allows: MANAGERS,
        query: removedPersonQuery,
        answers: { 204: { description: 'The person acts for it no more.' } },
      },
      async ({ caller, path, query, nowMs }) => {
        const organizationId = requireActing(caller)
        return async (transaction) => {
          const row = await findMember(transaction, path('personId'), organizationId)
          if (query.revokeKeys === 'true') await endMade(transaction, row.id, organizationId, nowMs)
          await transaction
            .deleteFrom('memberships')
            .where('person_id', '=', row.id)
            .where('organization_id', '=', organizationId)
            .execute()
          return { target: row.id }
        }
      },
    ),
    serve.write(
      {
        ...{ method: 'POST', path: '/people/{personId}/invitation', tag: TAG },
        operationId: 'invitePerson',
        summary: 'Send the invitation again',
        allows: MANAGERS,
        answers: { 202: { description: 'The mail is on its way.' } },
      },
      async ({ caller, path }) => {
        const organizationId = requireActing(caller)
        if (!hasMail) throw new Failure('portal.no_mail')
        return async (transaction) => {
          const row = await findMember(transaction, path('personId'), organizationId)
          if (row.password_hash !== '')
            throw new Failure('portal.exists', { what: 'password of', name: row.email })
          await sendLink(transaction, row, 'invitation', deps)
          return { status: 202, target: row.id }
        }
      },
    ),
  ]
}

async function findMember(
  db: PortalReader,
  personId: string,
  organizationId: string,
): Promise<PersonRow> {
  const row = await db
    .selectFrom('people')
    .innerJoin('memberships', 'memberships.person_id', 'people.id')
    .selectAll('people')
    .where('people.id', '=', personId)
    .where('memberships.organization_id', '=', organizationId)
    .executeTakeFirst()
  if (row === undefined) throw new Failure('portal.not_found', { what: 'person' })
  return row
}

async function requireRoleOf(db: PortalReader, organizationId: string, role: string) {
  const found = db.selectFrom('organizations').select('kind').where('id', '=', organizationId)
  const kind = organizationKind.parse((await found.executeTakeFirst())?.kind)
  if (ROLES_OF[kind].some((one) => one === role)) return
  const message = `people of this organization are ${ROLES_OF[kind].join(' or ')}`
  throw new InvalidRequest([{ pointer: '/role', message }])
}

/** With the membership in this organization alone: where else somebody works is nobody's
 *  business here. */
async function tellPeople(
  db: PortalReader,
  rows: readonly PersonRow[],
  organizationId: string,
  nowMs: number,
): Promise<Person[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const memberships = await db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['memberships.person_id', 'memberships.role', 'organizations.name'])
    .where('memberships.person_id', 'in', ids)
    .where('memberships.organization_id', '=', organizationId)
    .execute()
  const madeBy = await countMade(db, ids, organizationId, nowMs)
  return rows.map(({ id, email, name, second_factor, is_enabled, created_ms }) => ({
    ...{ id, email, name },
    memberships: memberships.flatMap((one) => {
      const role = PERSON_ROLES.find((known) => known === one.role)
      const isOne = one.person_id === id && role !== undefined
      return isOne ? [{ organizationId, organizationName: one.name, role }] : []
    }),
    hasSecondFactor: second_factor !== null,
    isEnabled: is_enabled === 1,
    made: madeBy(id),
    createdAt: new Date(created_ms).toISOString(),
  }))
}
