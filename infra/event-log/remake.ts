// LMDB's file never shrinks. An environment that is empty but has grown is written anew, small, with its end and position,
// and takes the old one's place by one atomic rename. A crash at any point leaves the old or the new one, both whole.
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openPartition, partitionPath } from './lmdb.ts'

const GROWN_BYTES = 64 * 1024 * 1024

export async function remakeEmptyPartition(
  directory: string,
  partition: number,
  maxBytes: number,
): Promise<boolean> {
  const path = partitionPath(directory, partition)
  const freshPath = `${path}-new`
  await rm(freshPath, { recursive: true, force: true })
  const size = await stat(join(path, 'data.mdb')).then(
    (file) => file.size,
    () => 0,
  )
  if (size < GROWN_BYTES) return false

  const grown = openPartition(path, maxBytes)
  const isEmpty = grown.getKeysCount({ end: Number.MAX_SAFE_INTEGER }) === 0
  const state = grown.get('state')
  const position = grown.get('position')
  await grown.close()
  if (!isEmpty) return false

  const fresh = openPartition(freshPath, maxBytes)
  await fresh.transaction(() => {
    if (state) void fresh.put('state', state)
    if (position) void fresh.put('position', position)
  })
  await fresh.close()
  await rename(join(freshPath, 'data.mdb'), join(path, 'data.mdb'))
  await syncDirectory(path)
  await rm(join(path, 'lock.mdb'), { force: true })
  await rm(freshPath, { recursive: true, force: true })
  return true
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
