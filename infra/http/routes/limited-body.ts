// Bodies within the limit of their route.

/** Undefined: it is larger. */
export async function readLimited(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  if (body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop early cancels the stream.
  for await (const chunk of body) {
    length += chunk.length
    if (length > maxBytes) return undefined
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length)
}

/** More came than the route takes. */
export class BodyTooLarge extends Error {
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super('the body is larger than its route takes')
    this.name = 'BodyTooLarge'
    this.maxBytes = maxBytes
  }
}

/** The same bytes; an error as soon as there are more than `maxBytes`. */
export function limitStream(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): ReadableStream<Uint8Array> {
  let length = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      length += chunk.length
      if (length > maxBytes) throw new BodyTooLarge(maxBytes)
      controller.enqueue(chunk)
    },
  })
  return (body ?? new Blob([]).stream()).pipeThrough(limit)
}
