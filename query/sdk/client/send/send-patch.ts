// A patch goes to the server in pieces of one command each.
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { MAX_PATCH_BYTES, PATCH_PIECE_BYTES } from '../../../../schemas/keep/patch.ts'
import type { Reply } from '../send-call.ts'

type Given = Readonly<Record<string, string>>

export type PatchCalls = { readonly calls: readonly (() => Given)[] } | { readonly fault: string }

export function cutPatch(given: Given): PatchCalls {
  const { files: file } = given
  if (file === undefined) return { calls: [() => given] }
  try {
    if (statSync(file).size > MAX_PATCH_BYTES)
      return { fault: `-files: ${file} has more than ${MAX_PATCH_BYTES} bytes` }
    const archive = readFileSync(file)
    const sha256 = createHash('sha256').update(archive).digest('hex')
    const pieces = Math.max(1, Math.ceil(archive.length / PATCH_PIECE_BYTES))
    const calls = Array.from({ length: pieces }, (_, at) => () => {
      const content = archive.subarray(at * PATCH_PIECE_BYTES, (at + 1) * PATCH_PIECE_BYTES)
      const files = content.toString('base64')
      return { ...given, files, sha256, piece: String(at + 1), pieces: String(pieces) }
    })
    return { calls }
  } catch {
    return { fault: `-files: ${file} cannot be read` }
  }
}

/** The answer to the last piece, or to the first that was refused. */
export async function sendPatch(
  calls: readonly (() => Given)[],
  send: (given: Given) => Promise<Reply>,
): Promise<Reply> {
  let reply: Reply = { kind: 'unreachable', reason: 'nothing was sent' }
  for (const call of calls) {
    reply = await send(call())
    if (reply.kind === 'unreachable' || !reply.envelope.success) return reply
  }
  return reply
}
