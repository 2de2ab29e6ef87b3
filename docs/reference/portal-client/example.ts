// What a deployment does with the portal, and a look at prices: the first contact with the licence
// key, a report of an hour, the licence status, a quote.
import type { operations } from './portal-api.ts'
import { createPortalClient, dataOf } from './portal-client.ts'

type Report = operations['heartbeat']['requestBody']['content']['application/json']

export async function runExample(of: { readonly url: string; readonly licenseKey: string }) {
  const { url, licenseKey } = of
  const about: Report = {
    fingerprint: 'example-0001',
    name: 'Example',
    version: '0.1.0',
    layout: 'X8',
    nodes: [{ name: 'node-1', role: 'all', version: '0.1.0' }],
  }

  // Sent again with the same key of its own it is the same registration.
  const first = createPortalClient({ url, token: licenseKey })
  const registered = dataOf(
    await first.POST('/api/portal/v1/deployments/heartbeat', {
      params: { header: { 'Idempotency-Key': 'example-first-contact' } },
      body: about,
    }),
  )

  const { deploymentToken = '' } = registered
  const deployment = createPortalClient({ url, token: deploymentToken })
  const hour = `${registered.serverTime.slice(0, 13)}:00:00Z`
  const reported = dataOf(
    await deployment.POST('/api/portal/v1/deployments/heartbeat', {
      body: { ...about, meters: [{ hour, events: 1200, bytes: 480_000 }] },
    }),
  )
  const status = dataOf(await deployment.GET('/api/portal/v1/license/status'))

  // Prices are for everybody.
  const quote = dataOf(
    await createPortalClient({ url }).POST('/api/portal/v1/pricing/quote', {
      body: { lines: [{ item: 'logs', quantity: '20' }], term: 'annual' },
    }),
  )
  return { registered, reported, status, quote }
}
