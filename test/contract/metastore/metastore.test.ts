// Two metastores over one database, as two processes have them: tree, columns, accounts, settings.
import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import {
  addAccount,
  changeAccount,
  removeAccount,
} from '../../../infra/metastore/accounts/listener-accounts.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import { setSetting } from '../../../infra/metastore/settings/setting-changes.ts'
import { makeNewLog } from '../../support/database/new-log.ts'
import {
  logged,
  open,
  openTwo,
  place,
  useMetastores,
} from '../../support/database/open-metastores.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

useMetastores()

const add = (metastore: OpenedMetastore, name: string) =>
  metastore.database.write((t) => addAccount(t, testClock, name, {}))

describe('tree', () => {
  it('holds System->rejected from the first moment', async () => {
    const { logsByPath } = await (await open()).tree()
    expect([...logsByPath.keys()]).toEqual(['System->rejected'])
    expect(logsByPath.get('System->rejected')).toMatchObject({ accountId: null, policyId: 1 })
  })

  it('gives two that make the same logs at once the same ids', async () => {
    const [one, other] = await openTwo()
    const logs = Array.from({ length: 300 }, (_, index) =>
      makeNewLog({ folder: ['Events', `f${index % 9}`, 'x'], name: `n${index}` }),
    )
    const [left, right] = await Promise.all([one.addLogs(logs), other.addLogs([...logs].reverse())])
    expect(left).toEqual([...right].reverse())
    expect(left.map((log) => log.name)).toEqual(logs.map((log) => log.name))
    expect(new Set(left.map((log) => log.id)).size).toBe(300)
    const { folders } = await one.tree()
    expect([...folders.values()].filter((folder) => folder.name === 'x')).toHaveLength(9)
  })

  it('gives real processes the same ids too', async () => {
    const run = () =>
      new Promise<string>((resolve, reject) => {
        const child = spawn(process.execPath, [
          ...[
            '--import',
            'tsx',
            'test/support/database/database-process.ts',
            ...place.processArguments,
            'logs',
          ],
        ])
        let text = ''
        child.stdout.on('data', (chunk) => {
          text += chunk
        })
        child.on('exit', (code) => (code === 0 ? resolve(text) : reject(new Error(`exit ${code}`))))
      })
    const [one, other] = await Promise.all([run(), run()])
    expect(one).toBe(other)
    expect(new Set(one.trim().split(',')).size).toBe(200)
  })

  it('is current at once in the other process, and an older tree stays as it was', async () => {
    const [one, other] = await openTwo()
    const before = await other.tree()
    for (let index = 0; index < 20; index += 1) {
      const [log] = await one.addLogs([makeNewLog({ name: `n${index}` })])
      expect((await other.tree()).logs.get(log?.id ?? 0)).toEqual(log)
    }
    expect(before.logs.size).toBe(1)
  })

  it('tells letter case and a folder from a log apart, and makes a repeated path once', async () => {
    const metastore = await open()
    const made = await metastore.addLogs([
      makeNewLog({ folder: ['A'], name: 'x' }),
      makeNewLog({ folder: ['a'], name: 'x' }),
      makeNewLog({ folder: ['a'], name: 'X' }),
      makeNewLog({ folder: ['a', 'x'], name: 'x' }),
      makeNewLog({ folder: ['a'], name: 'x' }),
    ])
    expect(new Set(made.map((log) => log.id)).size).toBe(4)
    expect(made[4]).toBe(made[1])
  })

  it('keeps the log that exists as it is', async () => {
    const metastore = await open()
    const [first] = await metastore.addLogs([makeNewLog({ appTags: ['a'], typeWords: ['httpd'] })])
    const [again] = await metastore.addLogs([makeNewLog({ appTags: ['b'], typeWords: [] })])
    expect(again).toBe(first)
    expect(again).toMatchObject({ appTags: ['a'], typeWords: ['httpd'] })
  })

  it('finds again a name that has no UTF-8', async () => {
    const metastore = await open()
    const [log] = await metastore.addLogs([makeNewLog({ folder: ['\ud800'], name: 'a\udfffb' })])
    expect(log).toMatchObject({ folder: ['\ufffd'], name: 'a\ufffdb' })
  })

  it('makes all logs of a call or none', async () => {
    const metastore = await open()
    const adding = metastore.addLogs([makeNewLog({ name: 'good' }), makeNewLog({ policyId: 999 })])
    await expect(adding).rejects.toMatchObject({ code: 'database.failed' })
    expect((await metastore.tree()).logs.size).toBe(1)
    expect((await metastore.tree()).folders.size).toBe(1)
  })

  it('counts the logs of an account, and those of an hour of receipt', async () => {
    const metastore = await open()
    const { account } = await add(metastore, 'a')
    const mine = { accountId: account.id }
    await metastore.addLogs([
      makeNewLog({ ...mine, name: '1', receivedHour: 7 }),
      makeNewLog({ ...mine, name: '2', receivedHour: 7 }),
      makeNewLog({ ...mine, name: '3', receivedHour: 8 }),
      makeNewLog({ name: '4', receivedHour: 7 }),
    ])
    expect(await metastore.countLogs(account.id, 7)).toEqual({ total: 3, inHour: 2 })
    expect(await metastore.countLogs(account.id + 1, 7)).toEqual({ total: 0, inHour: 0 })
  })
})

describe('columns', () => {
  it('keeps the order of first sight over both writers, each triple once', async () => {
    const [one, other] = await openTwo()
    const [log] = await one.addLogs([makeNewLog()])
    const logId = log?.id ?? 0
    const column = (name: string, kind: 'text' | 'number' = 'text') => ({ logId, name, kind })
    await one.addColumns([column('b'), column('a')])
    expect((await other.columns([logId])).get(logId)).toHaveLength(2)
    await Promise.all([
      one.addColumns([column('a'), column('c'), column('B')]),
      other.addColumns([column('c'), column('a', 'number'), column('b')]),
    ])
    const seen = (await other.columns([logId])).get(logId) ?? []
    expect(seen.slice(0, 2).map(({ name, kind }) => [name, kind])).toEqual([
      ['b', 'text'],
      ['a', 'text'],
    ])
    expect(seen.map(({ name, kind }) => `${name} ${kind}`).sort()).toEqual([
      'B text',
      'a number',
      'a text',
      'b text',
      'c text',
    ])
    const positions = seen.map((one) => one.position)
    expect(positions).toEqual([...positions].sort((a, b) => a - b))
    expect((await one.columns([logId])).get(logId)).toEqual(seen)
  })

  it('keeps names with NUL, lone surrogates, and of thousands of characters', async () => {
    const [one, other] = await openTwo()
    const [log] = await one.addLogs([makeNewLog()])
    const logId = log?.id ?? 0
    const names = ['a\u0000b', 'a', '\ud800', 'n'.repeat(5000), `${'n'.repeat(4999)}m`, '']
    for (const metastore of [one, other])
      await metastore.addColumns(names.map((name) => ({ logId, name, kind: 'text' as const })))
    const seen = (await (await open()).columns([logId])).get(logId) ?? []
    expect(seen.map((column) => column.name)).toEqual(names)
  })

  it('answers with an empty list for a log without columns', async () => {
    const metastore = await open()
    expect(await metastore.columns([1, 77])).toEqual(
      new Map([
        [1, []],
        [77, []],
      ]),
    )
  })
})

describe('listener accounts', () => {
  it('knows a new token, and refuses a disabled and a removed one, in the other process too', async () => {
    const [one, other] = await openTwo()
    const { token, account } = await add(one, 'edge')
    expect(token).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    await waitUntil('it is known', () => other.accountByToken(token)?.id === account.id)
    const change = (isEnabled: boolean) =>
      one.database.write((t) => changeAccount(t, testClock, 'EDGE', { isEnabled }))
    await change(false)
    await waitUntil('it is known', () => other.accountByToken(token) === undefined)
    await change(true)
    await waitUntil('it is known', () => other.accountByToken(token)?.version === 3)
    await one.database.write((t) => removeAccount(t, testClock, 'edge'))
    await waitUntil('it is known', () => other.accountByToken(token) === undefined)
  })

  it('makes a version a change and keeps every one, also of a removed account', async () => {
    const [one, other] = await openTwo()
    const { account } = await add(one, 'edge')
    const changed = await one.database.write((t) =>
      changeAccount(t, testClock, 'edge', {
        parentFolder: ['Web', 'Edge'],
        timeZone: 'Europe/Berlin',
      }),
    )
    expect(changed).toMatchObject({
      version: 2,
      parentFolder: ['Web', 'Edge'],
      jsonParsingLevel: 3,
    })
    const same = await one.database.write((t) =>
      changeAccount(t, testClock, 'edge', { timeZone: 'Europe/Berlin', isEnabled: true }),
    )
    expect(same.version).toBe(2)
    await one.database.write((t) => removeAccount(t, testClock, 'edge'))
    expect(await other.accountVersion(account.id, 1)).toMatchObject(account)
    expect(await other.accountVersion(account.id, 2)).toMatchObject(changed)
    await expect(other.accountVersion(account.id, 3)).rejects.toMatchObject({
      code: 'object.not_found',
    })
  })

  it('gives a name free by removal to a new account with another id and token', async () => {
    const metastore = await open()
    const first = await add(metastore, 'edge')
    await expect(add(metastore, 'Edge')).rejects.toMatchObject({ code: 'object.exists' })
    await metastore.database.write((t) => removeAccount(t, testClock, 'edge'))
    const second = await add(metastore, 'edge')
    expect(second.account.id).not.toBe(first.account.id)
    expect(second.token).not.toBe(first.token)
  })

  it('lets one of two win the same name, and both the changes of one account', async () => {
    const [one, other] = await openTwo()
    const results = await Promise.allSettled([add(one, 'x'), add(other, 'X')])
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected'])
    const [prefix, level] = await Promise.all([
      one.database.write((t) => changeAccount(t, testClock, 'x', { logNamePrefix: 'p' })),
      other.database.write((t) => changeAccount(t, testClock, 'x', { jsonParsingLevel: 9 })),
    ])
    const last = prefix.version > level.version ? prefix : level
    expect(last).toMatchObject({ version: 3, logNamePrefix: 'p', jsonParsingLevel: 9 })
  })

  it('keeps no token in the database', async () => {
    const metastore = await open()
    const { token } = await add(metastore, 'edge')
    const rows = await metastore.database.read.selectFrom('listener_accounts').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('goes on with known tokens while the database is away, says so of others, and comes back', async () => {
    let looks = 0
    const metastore = await open({
      ...testClock,
      sleep: (ms, signal) => {
        looks += 1
        return testClock.sleep(ms, signal)
      },
    })
    const { token, account } = await add(metastore, 'edge')
    const { token: never } = await add(metastore, 'never used')
    await waitUntil('it is known', () => metastore.accountByToken(token) !== undefined)
    await place.hide()
    const isAway = () => {
      try {
        metastore.accountByToken('unknown')
        return false
      } catch {
        return true
      }
    }
    await waitUntil('it is known', isAway)
    for (const known of [token, never]) expect(metastore.accountByToken(known)).toBeDefined()
    expect(() => metastore.accountByToken('unknown')).toThrow(
      expect.objectContaining({ code: 'database.unavailable' }),
    )
    await expect(metastore.tree()).rejects.toMatchObject({ code: 'database.unavailable' })
    expect(metastore.setting('system.security')).toBe(true)
    const before = looks
    await waitUntil('it has looked again and again', () => looks > before + 6)
    expect(logged.filter((line) => line.includes('database is away'))).toHaveLength(1)
    await place.show()
    await metastore.database.write((t) =>
      changeAccount(t, testClock, 'edge', { description: 'back' }),
    )
    await waitUntil(
      'it is known',
      () => metastore.accountByToken(token)?.version === account.version + 1,
    )
    // Accounts are read anew a moment before it is said that the database is back.
    await waitUntil('it is known', () => !isAway())
    expect(metastore.accountByToken('unknown')).toBeUndefined()
  })
})

describe('settings', () => {
  it('starts with the defaults and the zone of the machine, and follows a change of the other process', async () => {
    const [one, other] = await openTwo()
    expect(other.setting('system.dateFormat')).toBe('MM/dd/yyyy HH:mm:ss')
    expect(other.setting('system.timeZone')).toBe(
      new Intl.DateTimeFormat().resolvedOptions().timeZone,
    )
    let isTold = false
    const remove = other.onChange(() => {
      isTold = true
    })
    await one.database.write((t) => setSetting(t, 'system.timeZone', 'Asia/Tokyo'))
    await waitUntil(
      'it is known',
      () => isTold && other.setting('system.timeZone') === 'Asia/Tokyo',
    )
    remove()
    expect((await open()).setting('system.timeZone')).toBe('Asia/Tokyo')
  })

  it('keeps one value when both set it at once', async () => {
    const [one, other] = await openTwo()
    const values = Array.from({ length: 20 }, (_, index) => String(index + 1))
    await Promise.all(
      values.map((value, index) =>
        (index % 2 === 0 ? one : other).database.write((t) =>
          setSetting(t, 'widgets.searchAPI.maxNumOfRecords', value),
        ),
      ),
    )
    await Promise.all([one.refresh(), other.refresh()])
    const value = one.setting('widgets.searchAPI.maxNumOfRecords')
    expect(values).toContain(String(value))
    expect(other.setting('widgets.searchAPI.maxNumOfRecords')).toBe(value)
  })
})
