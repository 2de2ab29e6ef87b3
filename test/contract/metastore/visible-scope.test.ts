// The scope of a search is the same object until something in it changes: what is made of thousands
// of logs is kept by it.
import { describe, expect, it } from 'vitest'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import { setViewers } from '../../../infra/metastore/rights/node-permissions.ts'
import { addPolicy } from '../../../infra/metastore/users/policy-changes.ts'
import { addUser, editUser } from '../../../infra/metastore/users/user-changes.ts'
import { collectColumns } from '../../../query/language/resolve/known-columns.ts'
import { readVisibleScope, type VisibleScope } from '../../../query/search/visible-scope.ts'
import { SYSTEM_FOLDER } from '../../../schemas/names/log-path.ts'
import { makeNewLog } from '../../support/database/new-log.ts'
import { openTwo, useMetastores } from '../../support/database/open-metastores.ts'
import { readerOf } from '../../support/database/reader.ts'

useMetastores()

/** Beside the logs of the product itself, which administrators see. */
const ids = ({ visibleLogs }: VisibleScope) =>
  visibleLogs.filter(({ folder }) => folder[0] !== SYSTEM_FOLDER).map(({ id }) => id)
const names = ({ visibleLogs, columns }: VisibleScope) => [
  ...collectColumns(visibleLogs, columns).keys(),
]

async function makeWorld([here, there]: readonly [OpenedMetastore, OpenedMetastore]) {
  const add = (name: string, groups: string[]) =>
    here.database.write((t) => addUser(t, name, { passwordHash: 'x', groups }))
  const root = await add('root', ['administrators'])
  const [ann, bob] = [await add('ann', []), await add('bob', [])]
  const [web, database] = await here.addLogs([
    makeNewLog({ name: 'web' }),
    makeNewLog({ name: 'database' }),
  ])
  if (web === undefined || database === undefined) throw new Error('no logs')
  await here.addColumns([{ logId: web.id, name: 'Status', kind: 'number' }])
  const scopes = async () => ({
    root: await readVisibleScope(there, readerOf(root)),
    ann: await readVisibleScope(there, readerOf(ann)),
    bob: await readVisibleScope(there, readerOf(bob)),
  })
  return { here, web, database, scopes }
}

describe('the scope of a search', () => {
  it('is the same while nothing changes, and of users who see the same logs', async () => {
    const { scopes } = await makeWorld(await openTwo())
    const { root, ann, bob } = await scopes()
    const again = await scopes()
    expect(again.root).toBe(root)
    expect(again.ann).toBe(ann)
    expect(bob).toBe(ann)
    expect([root.seesAll, ann.seesAll]).toEqual([true, false])
  })

  it('has a column, and a kind of one, that another process has just met', async () => {
    const { here, web, database, scopes } = await makeWorld(await openTwo())
    expect(each(await scopes(), names)).toEqual(same(['status']))
    await here.addColumns([{ logId: database.id, name: 'Rows', kind: 'number' }])
    expect(each(await scopes(), names)).toEqual(same(['status', 'rows']))
    await here.addColumns([{ logId: web.id, name: 'Status', kind: 'text' }])
    const kinds = ({ visibleLogs, columns }: VisibleScope) =>
      collectColumns(visibleLogs, columns).get('status')?.spellings[0]?.kinds
    expect(each(await scopes(), kinds)).toEqual(same(new Set(['number', 'text'])))
  })

  it('has the logs that its user may see at that moment, and no column of another', async () => {
    const { here, web, database, scopes } = await makeWorld(await openTwo())
    const both = [web.id, database.id]
    expect(each(await scopes(), ids)).toEqual(same(both))
    const place = { kind: 'log' as const, levels: ['Events', 'web'] }
    await here.database.write((t) => setViewers(t, place, { groups: [], users: ['ann'] }))
    const narrowed = await scopes()
    expect(each(narrowed, ids)).toEqual({ ...same(both), bob: [database.id] })
    expect(each(narrowed, names)).toEqual({ ...same(['status']), bob: [] })
    const [mail] = await here.addLogs([makeNewLog({ name: 'mail' })])
    const widened = { ...same([...both, mail?.id]), bob: [database.id, mail?.id] }
    expect(each(await scopes(), ids)).toEqual(widened)
  })

  it('is the same for users of masks, too, and has no name that they hide', async () => {
    const opened = await openTwo()
    const { here, web, scopes } = await makeWorld(opened)
    const long = `${'x'.repeat(950)}@example.com`
    await here.addColumns([{ logId: web.id, name: long, kind: 'text' }])
    await here.database.write(async (t) => {
      await addPolicy(t, 'masked', { masks: ['email'] })
      await editUser(t, 'bob', { policy: 'masked' })
    })
    const first = await scopes()
    expect(each(first, names)).toEqual({ ...same(['status', long]), bob: ['status'] })
    expect((await scopes()).bob).toBe(first.bob)
  })
})

type Three<T> = Record<'root' | 'ann' | 'bob', T>

function each<T>({ root, ann, bob }: Three<VisibleScope>, of: (scope: VisibleScope) => T) {
  return { root: of(root), ann: of(ann), bob: of(bob) }
}

function same<T>(value: T): Three<T> {
  return { root: value, ann: value, bob: value }
}
