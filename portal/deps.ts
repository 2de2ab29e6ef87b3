// What the surfaces of the portal share.
import type { HashPlaces } from '../infra/access/hash-places.ts'
import type { Clock } from '../infra/clock.ts'
import type { Logger } from '../infra/logger.ts'
import type { ObjectStore } from '../infra/objects/port.ts'
import type { PortalKeys } from './access/portal-keys.ts'
import type { PortalDatabase } from './database/open.ts'
import type { Cursors } from './edge/cursors.ts'
import type { RateLimits } from './edge/rate-limits.ts'
import type { Serve } from './edge/serve.ts'

export type PortalDeps = {
  readonly database: PortalDatabase
  readonly clock: Clock
  readonly logger: Logger
  readonly keys: PortalKeys
  readonly limits: RateLimits
  readonly hashPlaces: HashPlaces
  readonly cursors: Cursors
  readonly serve: Serve
  /** Of files that belong to rows. */
  readonly objects: ObjectStore
  /** Of the portal's own files. */
  readonly folder: string
  /** Without a slash at its end. */
  readonly publicUrl: string
  readonly version: string
  /** Between two heartbeats that it asks of deployments. */
  readonly heartbeatSeconds: number
  /** Mail can be sent. */
  readonly hasMail: boolean
}
