// The published document against a running portal, by a program that reads the document and knows
// nothing else: no answer is a failure of ours, none is other than the document says, whoever
// calls. The portal is that of `logeye portal demo`, so that there is something to find.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callPortal } from '../../support/portal/call-portal.ts'
import { startCallerProxy } from '../../support/portal/caller-proxy.ts'
import {
  operatorOf,
  type PortalProcess,
  startPortalProcess,
} from '../../support/portal/portal-process.ts'
import { runSchemathesis, schemathesisMissing } from '../../support/portal/schemathesis.ts'
import { describeUnless } from '../../support/run/skip.ts'

const TEST_MS = 240_000
/** Of each kind. */
const CALLERS = 8
const DOCUMENT = '/api/portal/openapi.json'
/** A caller that has signed out makes no more calls. */
const ENDS = ['endSession']

type Kind = 'nobody' | 'operator' | 'customer' | 'sales' | 'deployment'

describeUnless(schemathesisMissing(), 'the document of the portal', () => {
  const directory = mkdtempSync(join(tmpdir(), 'logeye-test-schemathesis-'))
  let portal: PortalProcess
  const tokens: Record<Kind, string[]> = {
    ...{ nobody: [], operator: [], customer: [], sales: [], deployment: [] },
  }

  beforeAll(async () => {
    let printed = ''
    portal = await startPortalProcess({
      dataDir: join(directory, 'data'),
      environment: { LOGEYE_HTTP_TRUSTED_PROXIES: '127.0.0.1' },
      before: async (logeye) => {
        printed = await logeye('portal', 'demo')
      },
    })
    const { url } = portal
    const as = operatorOf(printed)
    const { data } = await callPortal(url, { path: '/licenses', as })
    const keys = { path: `/licenses/${data[0].id}/keys`, as, body: {} }
    const { licenseKey } = await callPortal(url, keys)
    for (let at = 0; at < CALLERS; at += 1) {
      const made = { path: '/operator-tokens', as, body: { name: `t${at}` } }
      tokens.operator.push((await callPortal(url, made)).token)
      tokens.customer.push(await signIn(printed, 'customer_admin', at))
      tokens.sales.push(await signIn(printed, 'sales', at))
      const body = { fingerprint: `schemathesis-${at}`, name: 'x', version: '1', layout: 'X8' }
      const first = { path: '/deployments/heartbeat', as: licenseKey, body }
      tokens.deployment.push((await callPortal(url, first)).deploymentToken)
    }
  }, TEST_MS)
  afterAll(async () => {
    await portal?.stop()
    rmSync(directory, { recursive: true, force: true })
  }, TEST_MS)

  /** From an address of its own. */
  const signIn = async (printed: string, role: string, at: number): Promise<string> => {
    const [, email = '', password = ''] =
      new RegExp(` ${role} +(\\S+) +(\\S+)$`, 'm').exec(printed) ?? []
    const { token } = await callPortal(portal.url, {
      path: '/session',
      body: { email, password },
      headers: { 'x-forwarded-for': `10.250.${at}.${role.length}` },
    })
    return token
  }

  it.each<Kind>(['nobody', 'operator', 'customer', 'sales', 'deployment'])(
    'is true of every answer that a caller of the kind %s gets',
    async (kind) => {
      const proxy = await startCallerProxy(portal.url, tokens[kind])
      const { isClean, printed } = await runSchemathesis({
        ...{ url: proxy.url, document: portal.url + DOCUMENT, directory },
        without: kind === 'customer' || kind === 'sales' ? ENDS : [],
      })
      await proxy.close()
      expect(isClean, printed).toBe(true)
      // How many depends on the machine: the time of a run is fixed.
      expect(proxy.calls()).toBeGreaterThan(0)
    },
    TEST_MS,
  )
})
