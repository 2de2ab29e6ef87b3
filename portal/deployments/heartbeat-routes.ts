// POST /deployments/heartbeat (decision 9.6). The first contact is a write like any other; those
// after it gather in a queue, since they are most calls of a portal. They may be sent again without
// a key: a report replaces what it reported before.
import { MAX_FETCH_BODY_BYTES } from '../../infra/http/fetch-request.ts'
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { Failure } from '../../schemas/failures.ts'
import {
  entitlementKey,
  type Heartbeat,
  type HeartbeatAnswer,
  heartbeat,
  heartbeatAnswer,
  type MeterError,
} from '../../schemas/portal/deployments.ts'
import { findCredential } from '../access/authenticate.ts'
import type { Caller } from '../access/caller.ts'
import { readSecretKind } from '../access/secrets.ts'
import { tellLicense } from '../accounts/license-routes.ts'
import type { PortalReader } from '../database/open.ts'
import type { PortalDeps } from '../deps.ts'
import type { Call } from '../edge/serve.ts'
import { checkMeters } from './check-meters.ts'
import { Entitlements } from './entitlements.ts'
import type { Kept, Report } from './keep-reports.ts'
import { registerDeployment } from './register.ts'
import { ReportQueue } from './report-queue.ts'
import type { SigningKey } from './signing-key.ts'

const TAG = 'deployments'

const HEARTBEAT = {
  method: 'POST',
  path: '/deployments/heartbeat',
  tag: TAG,
  operationId: 'heartbeat',
  summary: 'Register a deployment, and report its version and usage',
  description:
    'The first contact shows the licence key, in Authorization or in the body, and is answered with the token of the deployment; those after it show the token. Unknown fields are ignored. `Idempotency-Key` counts at the first contact; a report may be sent again without it.',
  allows: { nobody: true, license: true, deployment: true },
  body: heartbeat,
  maxBodyBytes: MAX_FETCH_BODY_BYTES,
  answers: {
    200: { description: 'The report is kept.', schema: heartbeatAnswer },
    201: {
      description: 'The first contact: the token is shown here alone.',
      schema: heartbeatAnswer,
    },
  },
} as const

type HeartbeatCall = Pick<Call<unknown, Heartbeat>, 'body' | 'caller' | 'address' | 'nowMs'>

export function makeHeartbeatRoutes(
  { database, clock, serve, limits, heartbeatSeconds }: PortalDeps,
  signing: SigningKey,
): ServedRoute[] {
  const queue = new ReportQueue(database)
  const entitlements = new Entitlements(signing)

  function tell(kept: Kept, errors: MeterError[], nowMs: number): HeartbeatAnswer {
    const { id: deploymentId, fingerprint } = kept.deployment
    const { id, name, plan, validFrom, validTo, state } = tellLicense(kept.license, nowMs)
    const license = { id, name, plan, validFrom, validTo, state }
    return {
      ...{ deploymentId, nextHeartbeatSeconds: heartbeatSeconds, license, errors },
      entitlement: entitlements.for({ deploymentId, fingerprint }, license, nowMs),
      serverTime: new Date(nowMs).toISOString(),
    }
  }

  const first = serve.write(HEARTBEAT, async (call) => {
    const { caller, body, nowMs } = call
    const licenseId = await findLicenseOf(database.read, caller, body, nowMs)
    if (licenseId === undefined) {
      await limits.takeGuess(call.address)
      throw new Failure('portal.unauthenticated')
    }
    const { report, errors } = toReport(call)
    return async (transaction) => {
      const kept = await registerDeployment(transaction, licenseId, report, clock)
      const answer = { ...tell(kept, errors, nowMs), deploymentToken: kept.token }
      return { status: 201, body: answer, target: kept.deployment.id, isSecret: true }
    }
  })

  const later = serve.read(HEARTBEAT, async (call) => {
    const { caller, nowMs } = call
    if (caller.kind !== 'deployment') throw new Failure('portal.unauthenticated')
    const { report, errors } = toReport(call)
    const kept = await queue.keep({ ...report, deploymentId: caller.deploymentId })
    if (kept === undefined) throw new Failure('portal.unauthenticated')
    return { body: tell(kept, errors, nowMs) }
  })

  return [
    {
      ...first,
      handle: (call) =>
        /^bearer +dpl_/i.test(call.request.headers.get('authorization') ?? '')
          ? later.handle(call)
          : first.handle(call),
    },
    serve.read(
      {
        ...{ method: 'GET', path: '/license/entitlement-key', tag: TAG },
        operationId: 'entitlementKey',
        summary: 'The key that entitlements are signed with',
        allows: { nobody: true, everybody: true },
        answers: { 200: { description: 'The same for ever.', schema: entitlementKey } },
      },
      async () => ({ body: { algorithm: 'Ed25519', publicKey: signing.publicKey } }),
    ),
  ]
}

function toReport(call: HeartbeatCall): {
  report: Omit<Report, 'deploymentId'>
  errors: MeterError[]
} {
  const { body, address, nowMs } = call
  const { fingerprint, name, version, layout } = body
  const { taken: meters, errors } = checkMeters(body.meters, nowMs)
  const nodes = JSON.stringify(body.nodes)
  const report = { fingerprint, name, version, layout, nodes, meters, address, atMs: nowMs }
  return { report, errors }
}

/** Undefined: it shows no key that is one. Fails with portal.license_revoked. */
async function findLicenseOf(
  db: PortalReader,
  caller: Caller,
  { licenseKey }: Heartbeat,
  nowMs: number,
): Promise<string | undefined> {
  if (caller.kind === 'license') return caller.licenseId
  const isKey = licenseKey !== undefined && readSecretKind(licenseKey) === 'license'
  const row = isKey ? await findCredential(db, licenseKey, nowMs) : undefined
  const ownerId = row?.kind === 'license' ? row.owner_id : null
  if (ownerId === null) return undefined
  if (row?.revoked_ms !== null) throw new Failure('portal.license_revoked')
  return ownerId
}
