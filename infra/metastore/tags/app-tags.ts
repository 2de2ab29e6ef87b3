// Changes of app tags, each inside the caller's write transaction.
import type { Transaction } from 'kysely'
import { type AppTag, appTagSchema, type NamedAppTag } from '../../../schemas/app-tag.ts'
import { Failure } from '../../../schemas/failures.ts'
import { foldName } from '../../database/fold-name.ts'
import type { Tables } from '../../database/tables.ts'
import { readSettings } from '../accounts/account-settings.ts'
import { raiseVersion, takeIds } from '../counters.ts'
import { readTextList } from '../json-list.ts'
import { refuseAlike, requireNameCharacters } from '../new-names.ts'
import { orderTags } from './order-tags.ts'
import type { ReadSourceQuery } from './source-query.ts'
import { readTags } from './tag-state.ts'

/** What is undefined stays as it is, or gets its default in a new tag. */
export type AppTagChange = { readonly [K in keyof AppTag]?: AppTag[K] | undefined }

const KIND = 'app tag'
/** Each is asked of every new log. */
const MAX_APP_TAGS = 1000

/** A tag that is there by its name alone, since a log was given it, becomes this one. Fails with
 *  object.exists, object.looks_like_another, object.invalid (name, source query),
 *  object.too_many. */
export async function addTag(
  transaction: Transaction<Tables>,
  name: string,
  change: AppTagChange,
  readQuery: ReadSourceQuery,
): Promise<NamedAppTag> {
  const others = await readTags(transaction)
  const known = others.find((it) => foldName(it.name) === foldName(name))
  if (known !== undefined) {
    if (!isByNameAlone(known)) throw new Failure('object.exists', { kind: KIND, name })
    return await changeTag(transaction, name, () => change, readQuery)
  }
  requireNameCharacters(KIND, name)
  refuseAlike(
    KIND,
    name,
    others.map((it) => ({ name: it.name, name_folded: foldName(it.name) })),
  )
  if (others.length >= MAX_APP_TAGS)
    throw new Failure('object.too_many', { kind: KIND, max: MAX_APP_TAGS })
  const tag = merged(appTagSchema.parse({}), change)
  const id = await takeIds(transaction, 'appTag', 1)
  const made = { id, name, tag }
  refuseCircle([...others, made], readQuery)
  const settings = JSON.stringify(tag)
  const row = { id, name, name_folded: foldName(name), settings }
  await transaction.insertInto('app_tags').values(row).execute()
  await raiseVersion(transaction, 'tags')
  return made
}

/** Fails with object.not_found, object.invalid (source query). */
export async function changeTag(
  transaction: Transaction<Tables>,
  name: string,
  change: (before: AppTag) => AppTagChange,
  readQuery: ReadSourceQuery,
): Promise<NamedAppTag> {
  const before = await requireTag(transaction, name)
  const after = { ...before, tag: merged(before.tag, change(before.tag)) }
  const others = (await readTags(transaction)).filter(({ id }) => id !== before.id)
  refuseCircle([...others, after], readQuery)
  await transaction
    .updateTable('app_tags')
    .set({ settings: JSON.stringify(after.tag) })
    .where('id', '=', before.id)
    .execute()
  await raiseVersion(transaction, 'tags')
  return after
}

/** Logs that were given it by name lose it. Fails with object.not_found, object.in_use where a
 *  listener account gives it to its logs, rights.missing where one of the logs is not `visible`. */
export async function removeTag(
  transaction: Transaction<Tables>,
  name: string,
  visible: 'all' | ReadonlySet<number>,
): Promise<void> {
  const { id, name: kept } = await requireTag(transaction, name)
  const accounts = await transaction
    .selectFrom('listener_accounts as a')
    .innerJoin('listener_account_versions as v', (join) =>
      join.onRef('v.account_id', '=', 'a.id').onRef('v.version', '=', 'a.version'),
    )
    .select(['v.settings'])
    .where('a.removed_ms', 'is', null)
    .execute()
  if (accounts.some(({ settings }) => readSettings(settings).appTags.includes(kept)))
    throw new Failure('object.in_use', {
      kind: KIND,
      name: kept,
      users: 'listener accounts give it to their logs',
    })
  const holding = await transaction
    .selectFrom('logs')
    .select(['id', 'app_tags'])
    .where('app_tags', '<>', '[]')
    .execute()
  const losing = holding.filter((log) => readTextList(log.app_tags).includes(kept))
  if (visible !== 'all' && losing.some((log) => !visible.has(log.id)))
    throw new Failure('rights.missing')
  await transaction.deleteFrom('app_tags').where('id', '=', id).execute()
  await raiseVersion(transaction, 'tags')
  if (losing.length === 0) return
  const changed = await raiseVersion(transaction, 'tree')
  for (const log of losing) {
    const left = readTextList(log.app_tags).filter((it) => it !== kept)
    const facts = { app_tags: JSON.stringify(left), changed }
    await transaction.updateTable('logs').set(facts).where('id', '=', log.id).execute()
  }
}

/** Letter case of the name does not count. Fails with object.not_found. */
export async function requireTag(
  transaction: Transaction<Tables>,
  name: string,
): Promise<NamedAppTag> {
  const found = (await readTags(transaction)).find((it) => foldName(it.name) === foldName(name))
  if (found === undefined) throw new Failure('object.not_found', { kind: KIND, name })
  return found
}

/** Nothing is said of it: whoever names it makes it. */
export function isByNameAlone({ tag }: NamedAppTag): boolean {
  return JSON.stringify(tag) === JSON.stringify(appTagSchema.parse({}))
}

function refuseCircle(tags: readonly NamedAppTag[], readQuery: ReadSourceQuery): void {
  const read = tags.map(({ name, tag }) => ({
    name,
    query: tag.sourceQuery === '' ? undefined : readQuery(tag.sourceQuery),
  }))
  const { circle } = orderTags(read, (tag, other) => tag.query?.namesTag(other.name) === true)
  if (circle === undefined) return
  // Names of other tags are not told: the caller may see none of their logs.
  throw new Failure('object.invalid', {
    kind: KIND,
    property: 'sourceQuery',
    reason:
      circle.length === 2
        ? 'asks for logs with this tag itself'
        : 'asks for a tag that asks for this one, maybe by others between them',
  })
}

function merged(before: AppTag, change: AppTagChange): AppTag {
  // Through JSON: it leaves out what is undefined.
  const given: unknown = JSON.parse(JSON.stringify(change))
  return appTagSchema.parse({ ...before, ...Object(given) })
}
