// The HTTP server, at the start.
import type { FailuresOf } from './failure-entry.ts'

export const HTTP_FAILURES = {
  'http.port_taken': {
    status: 500,
    message: 'port {port} is already taken: stop the other program or set {setting}',
  },
  'http.cannot_listen': { status: 500, message: 'cannot listen on {address}:{port} ({reason})' },
  'http.certificate': {
    status: 500,
    message: 'the certificate or its key cannot be used: {reason}',
  },
} as const satisfies FailuresOf<'http'>
