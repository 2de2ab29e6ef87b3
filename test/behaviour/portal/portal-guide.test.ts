// docs/guides/portal.md, followed word for word on a portal of its own; and after it the example of
// docs/reference/portal-client.md, against the same portal. It runs without the generated types;
// test/contract/portal/portal-client.test.ts compiles it with them.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type FollowedBlock,
  followGuide,
  readGuide,
  saidPattern,
} from '../../support/guides/follow-guide.ts'
import { callPortal } from '../../support/portal/call-portal.ts'
import { writeClientSnippets } from '../../support/portal/client-snippets.ts'
import {
  operatorOf,
  type PortalProcess,
  startPortalProcess,
} from '../../support/portal/portal-process.ts'
import { awayFromEndOf, DAY_MS } from '../../support/run/away-from.ts'

const TEST_MS = 180_000
const GUIDE = 'portal.md'

const directory = mkdtempSync(join(tmpdir(), 'logeye-test-portal-guide-'))
let portal: PortalProcess
let blocks: readonly FollowedBlock[]
beforeAll(async () => {
  await awayFromEndOf(DAY_MS, 120_000)
  portal = await startPortalProcess({ dataDir: join(directory, 'data') })
  const { url, environment } = portal
  blocks = await followGuide(GUIDE, { url, directory, environment, port: 30300 })
}, 120_000 + TEST_MS)
afterAll(async () => {
  await portal?.stop()
  rmSync(directory, { recursive: true, force: true })
})

describe('the guide to set a portal up', () => {
  it.each(readGuide(GUIDE).map((block, at) => ({ ...block, at })))(
    'block $at prints what it says',
    ({ at, said }) => {
      const { printed = '', commands = '' } = blocks[at] ?? {}
      expect(printed, commands).toMatch(said === undefined ? /^$/ : saidPattern(said))
    },
  )
})

it('the example of the client registers, reports, and reads status and prices', async () => {
  const { url } = portal
  const operator = operatorOf(await portal.logeye('portal', 'init'))
  const { data } = await callPortal(url, { path: '/licenses', as: operator })
  const { id } = data.find(({ name }: { name: string }) => name === 'Production')
  const key = { path: `/licenses/${id}/keys`, as: operator, body: {} }
  const { licenseKey } = await callPortal(url, key)
  const folder = join(directory, 'client')
  mkdirSync(folder)
  writeClientSnippets(folder)
  const { runExample } = await import(join(folder, 'example.ts'))
  const done = await runExample({ url, licenseKey })
  expect(done.registered.license.name).toBe('Production')
  expect(done.reported.errors).toEqual([])
  const names = done.status.deployments.map(({ name }: { name: string }) => name)
  expect(names).toEqual(['Example', 'Hamburg'])
  expect(done.status.actual.bytes).toBe(480_480_000)
  expect(done.quote).toMatchObject({ totals: { list: '6240.00', net: '5616.00' } })
})
