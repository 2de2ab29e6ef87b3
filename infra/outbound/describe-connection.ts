// Why a connection failed, in words for who made the account.
import { OutboundError } from './find-address.ts'

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut off',
  EPIPE: 'the connection was cut off',
  EHOSTUNREACH: 'there is no way to that machine',
  ENETUNREACH: 'there is no way to that network',
  ETIMEDOUT: 'no answer in time',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself: give -certificateFile',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of an unknown authority: give -certificateFile',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is of an unknown authority: give -certificateFile',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate is of an unknown authority: give -certificateFile',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is of another name',
  EPROTO: 'it does not speak TLS as asked',
}

export function describeConnection(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'no answer in time'
  if (error instanceof OutboundError) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return REASONS[code] ?? (code.startsWith('ERR_SSL') ? 'it does not speak TLS' : 'it failed')
}
