// Why a connection failed, in words for whoever gave its address.
import { OutboundError } from './find-address.ts'

const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ECONNREFUSED: 'nothing listens there',
    ECONNRESET: 'the connection was cut off',
    EPIPE: 'the connection was cut off',
    EHOSTUNREACH: 'there is no way to that machine',
    ENETUNREACH: 'there is no way to that network',
    ETIMEDOUT: 'no answer in time',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
    SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of an unknown authority',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is of an unknown authority',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is of an unknown authority',
    CERT_HAS_EXPIRED: 'its certificate has expired',
    ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is of another name',
    EPROTO: 'it does not speak TLS as asked',
  }),
)

const REASON_OF = [
  ['ERR_SSL', 'it does not speak TLS'],
  ['HPE_', 'it does not speak HTTP as it should'],
] as const

/** `hint`: what to do about a certificate that is not trusted. */
export function describeConnection(
  error: unknown,
  signal: AbortSignal,
  hint = 'give -certificateFile',
): string {
  if (signal.aborted) return 'no answer in time'
  if (error instanceof OutboundError) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isUntrusted = /SELF_SIGNED|UNABLE_TO/.test(code)
  const reason = REASONS.get(code) ?? REASON_OF.find(([start]) => code.startsWith(start))?.[1]
  return `${reason ?? 'it failed'}${isUntrusted && hint !== '' ? `: ${hint}` : ''}`
}
