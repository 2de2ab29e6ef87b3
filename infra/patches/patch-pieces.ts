// A patch comes to the server in pieces, which are kept until the last one is there.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../schemas/failures.ts'
import { MAX_PATCH_BYTES, PATCH_PIECE_BYTES } from '../../schemas/keep/patch.ts'
import { digestOf } from './patch-archive.ts'
import { patchesFolder } from './patch-state.ts'

const FOLDER = 'incoming'
/** Of an upload that nobody went on with. */
const OLD_MS = 3_600_000

export type PatchPiece = {
  /** 1, 2, 3 … */
  readonly number: number
  readonly of: number
  /** Of the whole archive. */
  readonly sha256: string
  readonly content: Buffer
}

/** The whole archive with its last piece; undefined: more are awaited. Fails with patch.refused. */
export function takePiece(dataDir: string, piece: PatchPiece, nowMs: number): Buffer | undefined {
  const { number, of, sha256, content } = piece
  if (of * PATCH_PIECE_BYTES > MAX_PATCH_BYTES + PATCH_PIECE_BYTES)
    throw refuse(`it has more than ${MAX_PATCH_BYTES} bytes`)
  if (content.length > PATCH_PIECE_BYTES || number > of) throw refuse('a piece of it is too large')
  const incoming = join(patchesFolder(dataDir), FOLDER)
  mkdirSync(incoming, { recursive: true, mode: 0o750 })
  removeOthers(incoming, { sha256, nowMs })
  const folder = join(incoming, sha256)
  mkdirSync(folder, { recursive: true, mode: 0o750 })
  writeFileSync(join(folder, String(number)), content, { mode: 0o640 })
  if (number < of) return undefined
  try {
    const pieces = Array.from({ length: of }, (_, at) => readFileSync(join(folder, String(at + 1))))
    const archive = Buffer.concat(pieces)
    if (digestOf(archive) !== sha256) throw refuse('it did not arrive whole: send it again')
    return archive
  } catch (error) {
    if (error instanceof Failure) throw error
    throw refuse('a piece of it is missing: send it again')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function removeOthers(
  incoming: string,
  { sha256, nowMs }: { sha256: string; nowMs: number },
): void {
  for (const name of readdirSync(incoming)) {
    const path = join(incoming, name)
    if (name !== sha256 && nowMs - statSync(path).mtimeMs > OLD_MS)
      rmSync(path, { recursive: true, force: true })
  }
}

function refuse(reason: string): Failure {
  return new Failure('patch.refused', { reason })
}
