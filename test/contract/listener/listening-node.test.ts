// Listening Node of a listener account (decision 8.5): one node takes its events, at others its
// token is unknown.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAccount, changeAccount } from '../../../infra/metastore/accounts/listener-accounts.ts'
import {
  announceListeningNode,
  requireListeningNode,
} from '../../../infra/metastore/accounts/listening-nodes.ts'
import { getReceipt, startListener } from '../../support/apps/listener-server.ts'
import {
  openQueryDatabase,
  type QueryDatabase,
  silentLogger,
} from '../../support/database/query-database.ts'
import { testClock } from '../../support/run/test-clock.ts'

let db: QueryDatabase
beforeAll(async () => {
  db = await openQueryDatabase()
})
afterAll(() => db.close())

const around = { clock: testClock, logger: silentLogger }
const named = (name: string, nowMs = testClock.nowMs()) =>
  db.metastore.database.write((transaction) => requireListeningNode(transaction, name, nowMs))

describe('a listening node', () => {
  it('can be chosen where there are several, by a name that one has', async () => {
    const { database } = db.metastore
    const first = await announceListeningNode(database, 'web-1', around)
    await expect(named('web-1')).rejects.toThrow(
      'this system has one listening node, which receives everything',
    )
    const second = await announceListeningNode(database, 'Web-2', around)
    expect(await named('web-1')).toBe('web-1')
    expect(await named('WEB-2')).toBe('Web-2')
    await expect(named('web-3')).rejects.toThrow(
      'there is no listening node web-3; there are Web-2, web-1',
    )
    // Nodes that said nothing for an hour are none.
    await expect(named('web-1', testClock.nowMs() + 3_700_000)).rejects.toThrow('one listening')
    await Promise.all([first(), second()])
  })

  it('alone takes the events of an account that is bound to it', async () => {
    const { database } = db.metastore
    const { token } = await database.write((transaction) =>
      addAccount(transaction, testClock, 'bound', { listeningNode: 'node-a' }),
    )
    await db.metastore.refresh()
    const accounts = db.metastore
    const here = await startListener({ accounts, nodeName: 'node-a' })
    const there = await startListener({ accounts, nodeName: 'node-b' })
    const query = `token=${token}`
    const taken = await here.post('{"a":1}', { query })
    expect(taken.status).toBe(200)
    const refused = await there.post('{"a":1}', { query })
    const unknown = await there.post('{"a":1}', { query: 'token=none' })
    expect([refused.status, refused.body]).toEqual([unknown.status, unknown.body])
    expect(refused.status).toBe(400)
    expect(await there.stored()).toEqual([])
    const receipt = await getReceipt(there.url, `${query}&receipt=${taken.body.receipt}`)
    expect(receipt.status).toBe(200)

    const change = { listeningNode: null }
    await database.write((transaction) => changeAccount(transaction, testClock, 'bound', change))
    await db.metastore.refresh()
    expect((await there.post('{"a":1}', { query })).status).toBe(200)
    await here.close()
    await there.close()
  })
})
