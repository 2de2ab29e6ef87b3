// The end of the chain as one signed text, to be kept elsewhere: a chain that was cut later does
// not reach it.
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import { Failure } from '../../schemas/failures.ts'
import { printDocument, readDocument } from '../signed-documents/signed-document.ts'
import type { ChainEnd } from './check-links.ts'

const headSchema = z.object({
  type: z.literal('evidence head'),
  serverKey: z.string(),
  number: z.number().int(),
  hash: z.string(),
  at: z.iso.datetime(),
})
type Head = Omit<z.infer<typeof headSchema>, 'type'>

export function printHead(head: Head, key: KeyObject): string {
  const heading = `Logeye evidence: entry ${head.number}, ${head.at}`
  return printDocument({ type: 'evidence head', ...head }, key, [heading])
}

/** Fails with evidence.head. */
export function readHead(text: string, key: KeyObject): ChainEnd {
  const read = readDocument(text, key)
  if (read.kind === 'refused') throw new Failure('evidence.head', { reason: read.reason })
  const parsed = headSchema.safeParse(read.content)
  if (!parsed.success) throw new Failure('evidence.head', { reason: 'it is another document' })
  const { number, hash, at } = parsed.data
  return { number, hash, from: `the end that was sent away at ${at}` }
}
