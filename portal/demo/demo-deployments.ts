// Deployments of the demo, which report as products do: by heartbeats, one a day with the hours of
// the day before.
import { z } from 'zod'
import type { DemoCaller } from './demo-caller.ts'
import { type UsageShape, usageOfHour } from './demo-usage.ts'

const HOUR_MS = 3_600_000
const registered = z.object({ deploymentId: z.string(), deploymentToken: z.string() })

export type DemoDeployment = {
  readonly name: string
  readonly layout: 'V7' | 'X8'
  readonly nodes: readonly string[]
  readonly fingerprint: string
  readonly address: string
  readonly sources: Readonly<Record<string, UsageShape>>
}

export type Reporting = DemoDeployment & {
  readonly id: string
  readonly token: string
}

export async function registerDemo(
  call: DemoCaller,
  licenseKey: string,
  deployment: DemoDeployment,
): Promise<Reporting> {
  const { address } = deployment
  const body = describe(deployment)
  const path = '/deployments/heartbeat'
  const { deploymentId: id, deploymentToken: token } = registered.parse(
    await call({ path, as: licenseKey, address, body }),
  )
  return { ...deployment, id, token }
}

/** Hours of `fromMs` to `toMs`, of a history that began at `sinceMs`. */
export async function reportHours(
  call: DemoCaller,
  deployment: Reporting,
  { fromMs, toMs, sinceMs }: { fromMs: number; toMs: number; sinceMs: number },
): Promise<void> {
  const { sources, token, address } = deployment
  const first = Math.floor(fromMs / HOUR_MS)
  const hours = Array.from({ length: Math.floor(toMs / HOUR_MS) - first }, (_, at) => first + at)
  const meters = hours.flatMap((hour) =>
    Object.entries(sources).map(([source, shape]) => ({
      ...{ hour: new Date(hour * HOUR_MS).toISOString(), source },
      ...usageOfHour(shape, hour, hour - Math.floor(sinceMs / HOUR_MS)),
    })),
  )
  const body = { ...describe(deployment), meters }
  await call({ path: '/deployments/heartbeat', as: token, address, body })
}

/** The token was copied to another machine with the whole installation. */
export async function reportCopy(call: DemoCaller, deployment: Reporting): Promise<void> {
  const body = { ...describe(deployment), fingerprint: `${deployment.fingerprint}-copy` }
  const { token } = deployment
  await call({ path: '/deployments/heartbeat', as: token, address: '198.51.100.77', body })
}

function describe({ fingerprint, name, layout, nodes }: DemoDeployment) {
  const version = '0.1.0'
  const told = nodes.map((node, at) => ({
    name: node,
    role: at === 0 ? 'front' : 'store',
    version,
  }))
  return { fingerprint, name, version, layout, nodes: told }
}
