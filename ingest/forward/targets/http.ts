// Forwarding by HTTP: a POST of a JSON array of the events. To the listener of another Logeye a
// request for each host, with an Idempotency-Key by which it drops what is sent again.
import { sendRequest } from '../../../infra/outbound/request.ts'
import { readTime } from '../event-time.ts'
import type { ForwardedEvent } from '../forwarded-event.ts'
import { type ForwardBatch, ForwardFault, type ForwardTarget } from './target.ts'

const MAX_ANSWER_BYTES = 64 * 1024
const LISTENER = '/api/logger.jsp'

export function openHttpTarget(url: URL): ForwardTarget {
  const isListener = url.pathname.endsWith(LISTENER)
  return {
    send: async (batch, signal) => {
      const groups = isListener ? byHost(batch.events) : [['', batch.events] as const]
      for (const [number, [host, events]] of groups.entries()) {
        const to = new URL(url)
        if (isListener) to.searchParams.set('hostName', host)
        await post(to, `${batch.key}-${number}`, printBody(events, batch), signal)
      }
    },
    close: async () => undefined,
  }
}

async function post(url: URL, key: string, body: string, signal: AbortSignal): Promise<void> {
  const headers = {
    ...{ 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) },
    'Idempotency-Key': key,
  }
  const sent = { url, headers, certificate: '', body, maxBytes: MAX_ANSWER_BYTES, isCut: true }
  const { status } = await sendRequest({ ...sent, signal })
  if (status < 200 || status > 299)
    throw new ForwardFault(`it answers with the HTTP status ${status}`)
}

function byHost(events: readonly ForwardedEvent[]) {
  const groups = new Map<string, ForwardedEvent[]>()
  for (const event of events) {
    const group = groups.get(event.host)
    if (group === undefined) groups.set(event.host, [event])
    else group.push(event)
  }
  return [...groups]
}

/** An event of JSON goes as it is; a text as the message of an object. */
function printBody(events: readonly ForwardedEvent[], { nameOf }: ForwardBatch): string {
  const printed = events.map((event) =>
    isObject(event.text)
      ? event.text
      : JSON.stringify({
          ...{ timestamp: readTime(event), message: event.text, host: event.host },
          ...{ log: nameOf(event.logId), source: event.source },
        }),
  )
  return `[${printed.join(',')}]`
}

function isObject(text: string): boolean {
  if (!text.startsWith('{')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
