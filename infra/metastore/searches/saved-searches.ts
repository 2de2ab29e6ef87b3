// Saved searches (docs/decisions/0081): seen by their owner, and by everybody where they are
// shared; changed by their owner, and where they are shared by administrators, too. All inside the
// caller's transaction.
import type { Kysely } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { type KeptSearch, keptSearch } from '../../../schemas/search-json/kept-search.ts'
import type { UserRecord } from '../../../schemas/users.ts'
import { foldName } from '../../database/fold-name.ts'
import type { DatabaseTransaction } from '../../database/port.ts'
import type { SavedSearchRow } from '../../database/rows/dashboard-tables.ts'
import type { Tables } from '../../database/tables.ts'
import { takeIds } from '../counters.ts'
import { requireNameCharacters } from '../new-names.ts'

/** Of one user. */
export const MAX_SEARCHES = 500

export type Viewer = Pick<UserRecord, 'id' | 'isAdministrator'>

export type SavedSearch = {
  readonly id: number
  readonly ownerId: number
  /** '' of a user who is gone. */
  readonly owner: string
  readonly name: string
  readonly description: string
  readonly isShared: boolean
  readonly search: KeptSearch
  readonly version: number
  readonly changedMs: number
}

export function mayChangeSearch(
  { ownerId, isShared }: Pick<SavedSearch, 'ownerId' | 'isShared'>,
  viewer: Viewer,
): boolean {
  return ownerId === viewer.id || (isShared && viewer.isAdministrator)
}

/** Own ones first, each by name. */
export async function listSearches(
  db: Kysely<Tables>,
  viewer: Viewer,
): Promise<readonly SavedSearch[]> {
  const rows = await seenBy(db, viewer).orderBy('saved_searches.name_folded').execute()
  const found = rows.map(searchOf)
  const isOwn = ({ ownerId }: SavedSearch) => ownerId === viewer.id
  return [...found.filter(isOwn), ...found.filter((one) => !isOwn(one))]
}

/** Fails with object.not_found, also where this user may not see it. */
export async function requireSearch(
  db: Kysely<Tables>,
  viewer: Viewer,
  id: number,
): Promise<SavedSearch> {
  const row = await seenBy(db, viewer).where('saved_searches.id', '=', id).executeTakeFirst()
  if (row === undefined)
    throw new Failure('object.not_found', { kind: 'saved search', name: String(id) })
  return searchOf(row)
}

/** One's own of this name: whoever shares one of it would say what is sent with the rights of
 *  somebody else. Fails with object.not_found. */
export async function requireOwnSearch(
  db: Kysely<Tables>,
  viewer: Viewer,
  name: string,
): Promise<SavedSearch> {
  const row = await seenBy(db, viewer)
    .where('saved_searches.name_folded', '=', foldName(name))
    .where('saved_searches.owner_id', '=', viewer.id)
    .executeTakeFirst()
  if (row === undefined) throw new Failure('object.not_found', { kind: 'saved search', name })
  return searchOf(row)
}

/** Fails as requireSearch, and with rights.not_editable. */
export async function requireChangeable(
  db: Kysely<Tables>,
  viewer: Viewer,
  id: number,
): Promise<SavedSearch> {
  const search = await requireSearch(db, viewer, id)
  if (!mayChangeSearch(search, viewer))
    throw new Failure('rights.not_editable', { kind: 'saved search', name: search.name })
  return search
}

export type SearchChange = {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly isShared?: boolean | undefined
  readonly search?: KeptSearch | undefined
}

/** Its id. Fails with object.exists, object.invalid (name), object.too_many. */
export async function addSearch(
  transaction: DatabaseTransaction,
  owner: Viewer,
  given: SearchChange & { readonly name: string; readonly search: KeptSearch },
  nowMs: number,
): Promise<number> {
  const { name, description = '', isShared = false, search } = given
  const count = await refuseSame(transaction, owner.id, name)
  if (count >= MAX_SEARCHES)
    throw new Failure('object.too_many', { kind: 'saved search', max: MAX_SEARCHES })
  const row: SavedSearchRow = {
    ...{ id: await takeIds(transaction, 'savedSearch', 1), owner_id: owner.id },
    ...{ name, name_folded: foldName(name), description, is_shared: isShared ? 1 : 0 },
    ...{ search: JSON.stringify(search), version: 1, changed_ms: nowMs },
  }
  await transaction.insertInto('saved_searches').values(row).execute()
  return row.id
}

/** What is not given stays. Fails with object.changed and, for the name, as addSearch. */
export async function changeSearch(
  transaction: DatabaseTransaction,
  before: SavedSearch,
  change: SearchChange & { readonly version: number },
  nowMs: number,
): Promise<void> {
  refuseOther(before, change.version)
  const { name = before.name, description, search, isShared = before.isShared } = change
  if (foldName(name) !== foldName(before.name)) await refuseSame(transaction, before.ownerId, name)
  await transaction
    .updateTable('saved_searches')
    .set({
      ...{ name, name_folded: foldName(name), is_shared: isShared ? 1 : 0 },
      description: description ?? before.description,
      search: JSON.stringify(search ?? before.search),
      ...{ version: before.version + 1, changed_ms: nowMs },
    })
    .where('id', '=', before.id)
    .execute()
}

/** Fails with object.changed. */
export async function removeSearch(
  transaction: DatabaseTransaction,
  before: SavedSearch,
  version: number | undefined,
): Promise<void> {
  refuseOther(before, version)
  await transaction.deleteFrom('saved_searches').where('id', '=', before.id).execute()
}

/** Of a user who is removed: what others use stays. */
export async function forgetSearchesOf(
  transaction: DatabaseTransaction,
  userId: number,
): Promise<void> {
  await transaction
    .deleteFrom('saved_searches')
    .where('owner_id', '=', userId)
    .where('is_shared', '=', 0)
    .execute()
}

function seenBy(db: Kysely<Tables>, viewer: Viewer) {
  return db
    .selectFrom('saved_searches')
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'saved_searches.owner_id').on('users.removed_ms', 'is', null),
    )
    .selectAll('saved_searches')
    .select('users.name as owner')
    .where((all) =>
      all.or([
        all('saved_searches.owner_id', '=', viewer.id),
        all('saved_searches.is_shared', '=', 1),
      ]),
    )
}

/** How many the owner has. */
async function refuseSame(
  transaction: DatabaseTransaction,
  ownerId: number,
  name: string,
): Promise<number> {
  requireNameCharacters('saved search', name)
  const own = await transaction
    .selectFrom('saved_searches')
    .select(['name', 'name_folded'])
    .where('owner_id', '=', ownerId)
    .execute()
  const same = own.find((it) => it.name_folded === foldName(name))
  if (same !== undefined)
    throw new Failure('object.exists', { kind: 'saved search', name: same.name })
  return own.length
}

function refuseOther({ name, version }: SavedSearch, seen: number | undefined): void {
  if (seen !== undefined && seen !== version)
    throw new Failure('object.changed', { kind: 'saved search', name })
}

function searchOf(row: SavedSearchRow & { readonly owner: string | null }): SavedSearch {
  const { id, name, description, version } = row
  return {
    ...{ id, name, description, version, ownerId: row.owner_id, owner: row.owner ?? '' },
    ...{ isShared: row.is_shared === 1, search: readSearch(row.search) },
    changedMs: row.changed_ms,
  }
}

function readSearch(json: string): KeptSearch {
  try {
    return keptSearch.parse(JSON.parse(json))
  } catch (error) {
    throw new Failure('database.damaged', {}, error)
  }
}
