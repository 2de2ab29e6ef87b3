// The bytes of a piece that may have been cut off on its way.
import { dirname } from 'node:path'
import { RemoteFault } from '../../infra/outbound/remote-fault.ts'
import { FileTail, hashOf } from './file-tail.ts'
import { isGone } from './find-files.ts'
import { PackedFault } from './packing.ts'
import type { PathPattern } from './path-pattern.ts'
import type { FileSource } from './sources/file-source.ts'

export type FoundPending = { readonly tail: FileTail; readonly bytes: Buffer }

/** They may lie in a copy by now. 'gone': nowhere. The tail is the caller's to close. Fails with a
 *  SystemError where nobody can say. */
export async function findPending(
  source: FileSource,
  { file }: FileTail,
  patterns: readonly PathPattern[],
): Promise<FoundPending | 'gone'> {
  const { pending } = file
  if (pending === undefined) return 'gone'
  const length = pending.to - file.position
  const path = await source.findPlace(dirname(file.path), file.place)
  const others = (await source.find(patterns)).files
  const places = path === undefined ? others : [{ path, place: file.place }, ...others]
  for (const place of places) {
    const tail = new FileTail({ ...file, path: place.path, place: place.place }, 0, source)
    try {
      const read = await tail.readAt(length)
      if (read !== undefined && hashOf(read.bytes) === pending.hash)
        return { tail, bytes: read.bytes }
    } catch (error) {
      const isItself = place.place === file.place
      const isOther = isGone(error) || error instanceof PackedFault
      // Where nobody answers nobody can say that it is gone.
      if (error instanceof RemoteFault || (isItself && !isOther)) throw error
    }
    await tail.close()
  }
  return 'gone'
}
