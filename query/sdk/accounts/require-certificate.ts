// A certificate that is trusted beside the usual ones.
import { X509Certificate } from 'node:crypto'
import { Failure } from '../../../schemas/failures.ts'

/** Fails with sdk.argument. '' and undefined are none. */
export function requireCertificate(pem: string | undefined): void {
  if (pem === undefined || pem === '') return
  try {
    new X509Certificate(pem)
  } catch (error) {
    const reason = 'holds no certificate in PEM form'
    throw new Failure('sdk.argument', { argument: 'certificateFile', reason }, error)
  }
}
