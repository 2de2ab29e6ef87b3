// Files of a Windows share that is mounted on this machine, by its account.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addAccount, collectByBook } from '../../support/collect/account-collect.ts'
import {
  type CollectPlace,
  openCollectPlace,
  type RunningCollector,
} from '../../support/collect/collect-place.ts'

let collect: CollectPlace
let running: RunningCollector | undefined
beforeAll(async () => {
  collect = await openCollectPlace()
})
afterAll(async () => {
  await running?.stop()
  await collect?.close()
})

it('are read where it is mounted, with its host as theirs', async () => {
  const mountPath = join(collect.files, 'share')
  mkdirSync(mountPath)
  writeFileSync(join(mountPath, 'a.log'), 'one\n')
  const settings = { share: '\\\\files\\logs', mountPath, domain: '', userName: '' }
  await addAccount(collect, { kind: 'windowsShare', name: 'share', settings, secrets: {} })
  const unmounted = { ...settings, mountPath: '' }
  await addAccount(collect, { kind: 'windowsShare', name: 'far', settings: unmounted, secrets: {} })
  const filePaths = [join(mountPath, '*.log')]
  const logId = await collect.addLog('shared', { filePaths, account: 'share' })
  await collect.addLog('unmounted', { filePaths, account: 'far' })
  running = await collectByBook(collect)
  const messages = () => collect.messages(logId)
  await collect.untilEqual(messages, ['one'])
  appendFileSync(join(mountPath, 'a.log'), 'two\n')
  await collect.untilEqual(messages, ['one', 'two'])
  const sql = `SELECT DISTINCT host FROM events WHERE log_id = ${logId}`
  expect(await collect.place.engine.store.query({ sql })).toEqual([{ host: 'files' }])
  const faults = () => running?.telemetry.progress().flatMap((one) => one.faults)
  await collect.untilEqual(faults, ['the account far is mounted nowhere: give it a -mountPath'])
})
