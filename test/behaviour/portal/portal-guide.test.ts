// docs/guides/portal.md, followed word for word on a portal of its own; and after it the example of
// the generated client, against the same portal.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runExample } from '../../../docs/reference/portal-client/example.ts'
import { createPortalClient, dataOf } from '../../../docs/reference/portal-client/portal-client.ts'
import {
  type FollowedBlock,
  followGuide,
  readGuide,
  saidPattern,
} from '../../support/guides/follow-guide.ts'
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

it('a program with the generated client registers, reports, and reads status and prices', async () => {
  const operator = operatorOf(await portal.logeye('portal', 'init'))
  const client = createPortalClient({ url: portal.url, token: operator })
  const { data } = dataOf(await client.GET('/api/portal/v1/licenses'))
  const licenses = z.array(z.object({ id: z.string(), name: z.string() })).parse(data)
  const licenseId = licenses.find(({ name }) => name === 'Production')?.id ?? ''
  const path = '/api/portal/v1/licenses/{licenseId}/keys'
  const { licenseKey } = dataOf(await client.POST(path, { params: { path: { licenseId } } }))
  const done = await runExample({ url: portal.url, licenseKey })
  expect(done.registered.license.name).toBe('Production')
  expect(done.reported.errors).toEqual([])
  expect(done.status.deployments.map(({ name }) => name)).toEqual(['Example', 'Hamburg'])
  expect(done.status.actual.bytes).toBe(480_480_000)
  expect(done.quote).toMatchObject({ totals: { list: '6240.00', net: '5616.00' } })
})
