// A patch is one file: a signed document, a line with the list of files, and their bytes one after
// the other, gzipped. Names stand in the signed list alone, so nothing can be slipped in beside it.
import { createHash, type KeyObject } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Failure } from '../../schemas/failures.ts'
import {
  MAX_PATCH_BYTES,
  MAX_PATCH_FILES,
  MAX_UNPACKED_BYTES,
  PATCH_MAIN,
  type Patch,
  type PatchFiles,
  patchFilesSchema,
  patchSchema,
} from '../../schemas/keep/patch.ts'
import { printDocument, readDocument } from '../signed-documents/signed-document.ts'

const BREAK = '\n---\n'
/** Parts that every system takes as a plain name. */
const PATH = /^[A-Za-z0-9@_][A-Za-z0-9@_.+-]*(?:\/[A-Za-z0-9@_.][A-Za-z0-9@_.+-]*)*$/
const MAX_HEAD_BYTES = 32 * 1024 * 1024

export type OpenedPatch = {
  readonly patch: Patch
  readonly files: readonly {
    readonly path: string
    readonly content: Buffer
    readonly sha256: string
  }[]
  /** Document and list, to be kept beside the files. */
  readonly head: string
}

export function packPatch(
  patch: Omit<Patch, 'type' | 'manifest' | 'bytes'>,
  files: readonly { readonly path: string; readonly content: Buffer }[],
  key: KeyObject,
): Buffer {
  const list: PatchFiles = files.map(({ path, content }) => ({
    path,
    bytes: content.length,
    sha256: digestOf(content),
  }))
  const line = JSON.stringify(list)
  const bytes = list.reduce((sum, file) => sum + file.bytes, 0)
  const content = { type: 'patch', ...patch, manifest: digestOf(Buffer.from(line)), bytes }
  const document = printDocument(content, key, [`Logeye patch ${patch.number}: ${patch.name}`])
  const body = gzipSync(Buffer.concat(files.map((file) => file.content)))
  return Buffer.concat([Buffer.from(`${document}${BREAK}${line}\n`), body])
}

/** Reads and checks all of it. Fails with patch.refused. */
export function openPatch(archive: Buffer, key: KeyObject): OpenedPatch {
  if (archive.length > MAX_PATCH_BYTES) throw refuse(`it has more than ${MAX_PATCH_BYTES} bytes`)
  const breakAt = archive.indexOf(BREAK)
  const lineAt = breakAt + BREAK.length
  const end = breakAt < 0 ? -1 : archive.indexOf(10, lineAt)
  if (end < 0 || end > MAX_HEAD_BYTES) throw refuse('it is no patch of Logeye')
  const { patch, list } = readPatchHead(archive.toString('utf8', 0, end), key)
  let body: Buffer
  try {
    body = gunzipSync(archive.subarray(end + 1), { maxOutputLength: patch.bytes + 1 })
  } catch {
    throw refuse('its files are damaged, or more than it says')
  }
  if (body.length !== patch.bytes) throw refuse('it holds other files than those that were signed')
  let at = 0
  const files = list.map(({ path, bytes, sha256 }) => {
    const content = body.subarray(at, at + bytes)
    at += bytes
    if (digestOf(content) !== sha256)
      throw refuse(`the file ${path} is not the one that was signed`)
    return { path, content, sha256 }
  })
  return { patch, files, head: archive.toString('utf8', 0, end) }
}

/** Document and list of files. Fails with patch.refused. */
export function readPatchHead(
  head: string,
  key: KeyObject,
): { readonly patch: Patch; readonly list: PatchFiles } {
  const [document = '', line = ''] = head.split(BREAK)
  const read = readDocument(document, key)
  if (read.kind === 'refused') throw refuse(read.reason)
  const patch = patchSchema.safeParse(read.content)
  if (!patch.success) throw refuse('it is of a form that this version does not know')
  if (digestOf(Buffer.from(line)) !== patch.data.manifest)
    throw refuse('its list of files is not the one that was signed')
  const list = patchFilesSchema.safeParse(JSON.parse(line))
  if (!list.success) throw refuse('its list of files cannot be read')
  checkFiles(list.data, patch.data)
  return { patch: patch.data, list: list.data }
}

function checkFiles(list: PatchFiles, patch: Patch): void {
  if (list.length > MAX_PATCH_FILES) throw refuse(`it has more than ${MAX_PATCH_FILES} files`)
  if (patch.bytes > MAX_UNPACKED_BYTES)
    throw refuse(`its files have more than ${MAX_UNPACKED_BYTES} bytes`)
  const seen = new Set<string>()
  for (const { path } of list) {
    if (!PATH.test(path) || path.split('/').some((part) => part === '..' || part === '.'))
      throw refuse(`the name ${JSON.stringify(path)} leads out of its folder`)
    const folded = path.toLowerCase()
    if (seen.has(folded)) throw refuse(`it has the file ${path} twice`)
    seen.add(folded)
  }
  const sum = list.reduce((bytes, file) => bytes + file.bytes, 0)
  if (sum !== patch.bytes) throw refuse('its list of files does not fit its size')
  if (!seen.has(PATCH_MAIN)) throw refuse(`it has no ${PATCH_MAIN}`)
}

export function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

function refuse(reason: string): Failure {
  return new Failure('patch.refused', { reason })
}
