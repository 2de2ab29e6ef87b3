// A streamed answer, compressed where the client takes gzip: rows of events become a tenth, at the
// lowest level for a CPU second a hundred megabytes or so. Only what the client takes is
// compressed; a body that fails fails this one, so that its end is missing.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

const LEVEL = 1
const CHUNK_BYTES = 64 * 1024

/** `request`: of which Accept-Encoding counts. */
export function streamedAnswer(
  request: Request,
  body: ReadableStream<Uint8Array>,
  contentType: string,
): Response {
  const headers = new Headers({ 'content-type': contentType, vary: 'Accept-Encoding' })
  if (!takesGzip(request.headers.get('accept-encoding') ?? ''))
    return new Response(body, { headers })
  headers.set('content-encoding', 'gzip')
  return new Response(gzipped(body), { headers })
}

/** RFC 9110, 12.5.3: the name itself counts before `*`; `q=0` refuses. */
export function takesGzip(acceptEncoding: string): boolean {
  const weights = new Map<string, number>()
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const given = parameters.find((text) => text.startsWith('q='))?.slice(2)
    weights.set(name, given === undefined ? 1 : Number(given))
  }
  const weight = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0
  return weight > 0
}

function gzipped(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const gzip = createGzip({ level: LEVEL, chunkSize: CHUNK_BYTES })
  const reader = body.getReader()
  // Its failure is that of `gzip`, which the reader meets.
  void pipeline(
    Readable.from(chunksOf(reader), { objectMode: true, highWaterMark: 1 }),
    gzip,
  ).catch(() => undefined)
  const compressed: AsyncIterator<Uint8Array> = gzip[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const next = await compressed.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      },
      cancel: async () => {
        gzip.destroy()
        // A read that waits for the next rows would keep the search running.
        await reader.cancel().catch(() => undefined)
      },
    },
    { highWaterMark: 1 },
  )
}

/** Cancels the body when it is left before its end. */
async function* chunksOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
