// Logs that are copied from another Logeye (docs/decisions/0123): a real one at a port, behind a
// door that the test shuts. Each event once, whatever becomes of the connection or the collector.
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readProgress } from '../../../infra/metastore/collect/collected-progress.ts'
import { addAccount, changeAccount, collectByBook } from '../../support/collect/account-collect.ts'
import {
  type CollectPlace,
  openCollectPlace,
  type RunningCollector,
} from '../../support/collect/collect-place.ts'
import { type OtherLogeye, openOtherLogeye } from '../../support/collect/other-logeye.ts'
import { startTcpProxy, type TcpProxy } from '../../support/network/tcp-proxy.ts'
import { isFullTier } from '../../support/run/tier.ts'

let other: OtherLogeye
let door: TcpProxy
let collect: CollectPlace
let running: RunningCollector | undefined
let sent = 0

beforeAll(async () => {
  other = await openOtherLogeye()
  door = await startTcpProxy(other.port)
  collect = await openCollectPlace()
  const userPassword = other.pipeline.db.adminPassword
  const settings = settingsOf('admin')
  await addAccount(collect, {
    ...{ kind: 'remoteProduct', name: 'west', settings, secrets: { userPassword } },
  })
})
afterAll(async () => {
  await running?.stop()
  await collect?.close()
  await door?.cut()
  await other?.stop()
})

const settingsOf = (userName: string) => ({
  ...{ userName, certificate: '', remoteURL: `http://127.0.0.1:${door.port}/logeye` },
})

const FAR = { productPath: 'Web->Edge', productName: 'access' }

async function send(count: number, more: object = {}): Promise<void> {
  const events = Array.from({ length: count }, () => {
    sent += 1
    return { ...FAR, message: `event ${sent}`, number: sent, ...more }
  })
  await other.pipeline.ingest([...events, { ...FAR, productName: 'other', message: 'not this' }])
}

const numbers = async (logId: number) =>
  (await collect.rows(logId))
    .map(({ message }) => Number(message.slice(6)))
    .toSorted((a, b) => a - b)

async function untilAll(logId: number): Promise<void> {
  const all = Array.from({ length: sent }, (_, at) => at + 1)
  await collect.untilEqual(() => numbers(logId), all)
}

const faultOf = () =>
  running?.telemetry
    .progress()
    .flatMap(({ faults }) => faults)
    .join('; ')

const untilFault = (text: string) =>
  collect.until(`its fault says: ${text}`, () => faultOf()?.includes(text), faultOf)

const SHOWN = `toUnixTimestamp64Nano(timestamp) AS time, host, source, message`

it('copies what is there, what arrives, and what arrives late', async () => {
  await send(1201)
  const logId = await collect.addLog('far', {
    filePaths: ['Events->Web->Edge->access'],
    account: 'west',
  })
  running = await collectByBook(collect)
  await untilAll(logId)
  await send(30)
  await untilAll(logId)
  await send(5, { timestamp: '2020-01-02T03:04:05.678901234Z' })
  await untilAll(logId)
  const where = "message LIKE 'event %' ORDER BY message"
  const sql = `SELECT ${SHOWN} FROM events WHERE ${where}`
  const there = await other.pipeline.engine.store.query({ sql })
  expect(await collect.place.engine.store.query({ sql })).toEqual(there)
  const [row] = await collect.rows(logId)
  expect(Object.keys(row?.columns ?? {})).toEqual(['number'])
  expect(faultOf()).toBe('')
  const progress = await readProgress(collect.place.metastore.database.read)
  expect(progress.get(logId)).toMatchObject({ files: 0, events: sent, faults: [] })
  expect(await collect.place.countDifferences()).toEqual([])
})

it('copies each event once when the collector is killed', async () => {
  await running?.stop()
  running = undefined
  const tree = await collect.place.metastore.tree()
  const logId = tree.logsByPath.get('far')?.id ?? 0
  const points = ['append', 'appended', ...(isFullTier ? (['note'] as const) : [])] as const
  for (const point of points) {
    await send(700)
    const child = collect.fork(point, point === 'note' ? 3 : 1, 'west')
    const ended = once(child, 'exit')
    await send(700)
    expect((await ended)[1]).toBe('SIGKILL')
  }
  running = await collectByBook(collect)
  await untilAll(logId)
})

it('goes on when it was cut off, and says why it cannot', async () => {
  const tree = await collect.place.metastore.tree()
  const logId = tree.logsByPath.get('far')?.id ?? 0
  await door.cut()
  await send(40)
  await untilFault('nothing listens there')
  await door.open()
  await untilAll(logId)
  await collect.untilEqual(faultOf, '')
  await changeAccount(collect, 'west', settingsOf('nobody'))
  await untilFault('it refuses the user nobody and the password')
  await send(10)
  await changeAccount(collect, 'west', settingsOf('admin'))
  await untilAll(logId)
  await collect.addLog('lost', { filePaths: ['Web->"Edge" or *->access'], account: 'west' })
  await collect.untilEqual(
    faultOf,
    'there is no log Web->"Edge" or *->access at the other Logeye, or the user of the account may not see it',
  )
})

it('copies what a filter selects, and hostile columns as they are', async () => {
  const hostile = {
    ...FAR,
    ...{ productName: 'odd', text: 'said', level: 'ERROR', status: '007', size: 1.1 },
    ...{ '@message': 'mine', 'a "b"\\': 'c\nd', deep: { productPath: 'x->y', list: [1, '2'] } },
  }
  await other.pipeline.ingest([
    { ...hostile, message: 'one "quoted" \\ \u2028 ünï\nsecond line' },
    { ...hostile, level: 'INFO', message: 'two' },
    { ...hostile, message: 'three or not' },
  ])
  const logId = await collect.addLog('odd', {
    ...{ filePaths: ['Events->Web->Edge->odd'], account: 'west' },
    dataFilterQuery: 'level = ERROR and not three or nothing',
  })
  await collect.untilEqual(
    () => collect.messages(logId),
    ['one "quoted" \\ \u2028 ünï\nsecond line'],
  )
  const sql = "SELECT columns FROM events WHERE message LIKE 'one %'"
  const [there] = await other.pipeline.engine.store.query<{ columns: object }>({ sql })
  const [here] = await collect.place.engine.store.query<{ columns: object }>({ sql })
  expect(here).toEqual(there)
})

it('lets more logs take turns than it may follow at once', async () => {
  const names = ['t1', 't2', 't3', 't4', 't5']
  const sendEach = (message: string) =>
    other.pipeline.ingest(names.map((productName) => ({ ...FAR, productName, message })))
  await sendEach('first')
  const ids: number[] = []
  for (const name of names) {
    const filePaths = [`Events->Web->Edge->${name}`]
    ids.push(await collect.addLog(name, { filePaths, account: 'west' }))
  }
  const messages = async () => (await collect.rowsOf(ids)).map(({ message }) => message).toSorted()
  await collect.untilEqual(messages, Array(5).fill('first'))
  await sendEach('second')
  await collect.untilEqual(messages, [...Array(5).fill('first'), ...Array(5).fill('second')])
})

it('does not begin anew at another Logeye at the same address', async () => {
  const tree = await collect.place.metastore.tree()
  const logId = tree.logsByPath.get('far')?.id ?? 0
  const before = await numbers(logId)
  await other.becomeAnother()
  await door.cut()
  await door.open()
  await untilFault('it does not know how far events were copied')
  expect(await numbers(logId)).toEqual(before)
})
