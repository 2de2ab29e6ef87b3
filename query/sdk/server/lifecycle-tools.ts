// What commands can do with the product as a whole; roles/ wires it.
import type { RunningProduct } from '../../../infra/doctor/running-product.ts'
import { PORTAL_OFF, type PortalLook } from '../../../infra/heartbeat/look-at-portal.ts'
import type { PatchPlace } from '../../../infra/patches/stage-patch.ts'
import { readTrustedKey, type TrustedKey } from '../../../infra/signed-documents/trusted-key.ts'
import { Failure } from '../../../schemas/failures.ts'

export type LifecycleTools = {
  /** Where they are made. Fails with backup.refused where an engine is a server. */
  readonly backups: () => { readonly directory: string }
  /** Where patches are laid. Fails with patch.refused. */
  readonly patches: () => PatchPlace
  /** What the process configuration says cannot be changed in the database. */
  readonly fixedPorts: { readonly plain: boolean; readonly tls: boolean }
  /** What the processes of this machine say of themselves. */
  readonly readProduct: () => Promise<RunningProduct>
  /** Of this machine. */
  readonly nodeName: string
  /** undefined: no supervisor is there. */
  readonly askRestart: (() => void) | undefined
  readonly license: {
    readonly trusted: TrustedKey
    readonly serverKey: string
    /** What the start page says of it. */
    readonly warning: () => Promise<string | undefined>
    readonly portal: () => Promise<PortalLook>
  }
}

/** Where nobody wired it. */
export const NO_LIFECYCLE: LifecycleTools = {
  backups: () => {
    throw new Failure('backup.refused', { reason: 'this process cannot make one' })
  },
  patches: () => {
    throw new Failure('patch.refused', { reason: 'this process cannot take one' })
  },
  fixedPorts: { plain: false, tls: false },
  readProduct: () => {
    throw new Failure('request.invalid', { reason: 'this process knows of no others' })
  },
  nodeName: '',
  askRestart: undefined,
  license: {
    trusted: readTrustedKey(undefined),
    serverKey: '',
    warning: () => Promise.resolve(undefined),
    portal: () => Promise.resolve(PORTAL_OFF),
  },
}
