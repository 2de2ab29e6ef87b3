// What nobody but administrators may learn of: one of each thing that has a name or a text, each
// with the same word in it. And a user who sees one log beside it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { ConsoleTest } from './console.ts'
import { makeAdmin, makeCommands } from './fill-console.ts'

/** It stands in whatever is sealed, and in nothing else. */
export const SEALED = 'zyxeal'
export const READER = { name: 'mia', password: 'a good password' }
/** The one log that the reader may view. */
export const OPEN_LOG = 'Events->Open->news'
/** Events of each of the two logs. */
export const EACH_LOG = 40

const saved = z.object({ response: z.object({ id: z.number() }) })

/** `directory` is filled with a file to collect. */
export async function fillSealed(test: ConsoleTest, directory: string): Promise<void> {
  const admin = makeAdmin(test.product)
  const run = makeCommands(test.product)
  await sendEvents(test)
  await run('setPermissions', { path: 'ROOT', type: 'folder', viewGroups: 'administrators' })
  const user = { action: 'add', userName: READER.name, userPassword: READER.password }
  await run('securityUsers', user)
  await run('setPermissions', { path: OPEN_LOG, type: 'log', viewUsers: READER.name })

  await makeObjects(run, directory)
  const settings = { timeFrame: { interval: 'last24Hours' }, generation: 'never' }
  const made = await admin('/logeye/api/apps', { name: `App ${SEALED}`, settings })
  await run('addApp', { name: `App ${SEALED}`, update: 'true', viewGroups: 'administrators' })
  const place = { column: 0, row: 0, width: 6, height: 5 }
  const widget = { id: 'w', title: SEALED, type: 'table', query: '* | count', place }
  const dashboard = { name: `Board ${SEALED}`, definition: { widgets: [widget] } }
  await admin(`/logeye/api/apps/${saved.parse(made).response.id}/dashboards`, dashboard)
  await run('addReport', {
    ...{ name: `Report ${SEALED}`, dashboard: `App ${SEALED}->Board ${SEALED}` },
    targets: `Desk ${SEALED}`,
  })
  const search = { query: `* ${SEALED}` }
  await admin('/logeye/api/saved-searches', { name: `Search ${SEALED}`, search })
  await act(test, run)
}

async function sendEvents({ send }: ConsoleTest): Promise<void> {
  const events = Array.from({ length: EACH_LOG }, (_, at) => {
    const timestamp = new Date(Date.now() - at * 60_000).toISOString()
    return [
      { timestamp, productPath: 'Open', productName: 'news', message: `all can read ${at}` },
      {
        ...{ timestamp, productPath: `Folder ${SEALED}`, productName: `log-${SEALED}` },
        ...{ message: `the ${SEALED} rose ${at} times`, level: 'ERROR', host: `host-${SEALED}` },
        [`column_${SEALED}`]: `value-${SEALED}-${at}`,
      },
    ]
  }).flat()
  await send(events, 'web-01')
}

type Run = ReturnType<typeof makeCommands>

async function makeObjects(run: Run, directory: string): Promise<void> {
  writeFileSync(join(directory, `${SEALED}.log`), `INFO the ${SEALED} was collected\n`)
  const named = (kind: string) => ({ name: `${kind} ${SEALED}`, description: SEALED })
  await run('addListener', named('Listener'))
  await run('addTemplate', { ...named('Template'), logTypes: SEALED, patterns: '{text:Message}' })
  await run('addAppTag', { ...named('Tag'), folders: `Events->Folder ${SEALED}` })
  await run('addCollectionPolicy', { ...named('Policy'), storageDays: '300' })
  await run('addSSHAccount', { ...named('Machine'), host: SEALED, userName: SEALED })
  await run('addAlertTarget', { ...named('Desk'), type: 'mail', to: `${SEALED}@example.com` })
  await run('addScanTask', { ...named('Files'), directory })
  await run('executeScanTask', { name: `Files ${SEALED}` })
  const monitor = { query: `* in log.log-${SEALED}`, window: '1d', severity: 'critical' }
  await run('addMonitor', { ...named('Monitor'), ...monitor, actions: `Desk ${SEALED}` })
  const window = { ...named('Window'), cron: '0 2 * * 0', minutes: '60' }
  await run('addMaintenanceWindow', { ...window, monitors: `Monitor ${SEALED}` })
  const person = { action: 'add', userName: `user-${SEALED}`, userPassword: READER.password }
  await run('securityUsers', person)
  await run('securityGroups', { action: 'add', groupName: `Group ${SEALED}` })
  await run('securityPolicies', { action: 'add', policyName: `May ${SEALED}`, operations: '' })
}

/** What leaves traces: alerts, holds, deletions, silences, tokens, rejected events. */
async function act({ product }: ConsoleTest, run: Run): Promise<void> {
  await run('monitors', { name: `Monitor ${SEALED}`, runNow: 'true' })
  const log = `Events->Folder ${SEALED}->log-${SEALED}`
  await run('addHold', { log, reason: `Case ${SEALED}` })
  await run('addExpectedSilence', { path: `Events->Folder ${SEALED}`, reason: SEALED })
  await run('deleteData', { log: `${SEALED}.log`, query: SEALED })
  await run('apiToken', { action: 'add', name: `Token ${SEALED}` })
  const asked = new URLSearchParams({ token: product.secrets.token, hostName: `host-${SEALED}` })
  const sent = await fetch(`${product.url}/logeye/api/logger.jsp?${asked}`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: `{"message":"${SEALED}"\n{"level":"${SEALED}"}`,
  })
  if (sent.status !== 200) throw new Error(`ingest answered ${sent.status}`)
}
