// The trace that a call belongs to, of the header `traceparent` (W3C Trace Context): for the log,
// beside the id of the call, so that whoever follows a trace finds what the portal says of it.

/** Later versions have more behind the flags; `ff` is none. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}/

/** Undefined: there is none, or one that is not as the standard says, which counts as none. */
export function readTraceId(request: Request): string | undefined {
  const [shown = '', traceId] = TRACEPARENT.exec(request.headers.get('traceparent') ?? '') ?? []
  const given = request.headers.get('traceparent') ?? ''
  const isWhole = given === shown || (!given.startsWith('00') && given[shown.length] === '-')
  return isWhole ? traceId : undefined
}
