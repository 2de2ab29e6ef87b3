// Opens the place of objects that an address says, or the folder that is usual.
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import { parseObjectsUrl } from './objects-url.ts'
import type { ObjectStore } from './port.ts'

/** Opens nothing yet: a storage that is away is told by the first call. `folder`: where objects are
 *  without an address, and what is on its way to another place. */
export async function openObjects(options: {
  readonly url: string | undefined
  readonly folder: string
  readonly clock: Clock
}): Promise<ObjectStore> {
  const { url, folder, clock } = options
  const place = url === undefined ? { folder } : parseObjectsUrl(url)
  if ('bucket' in place) {
    const { openS3Store } = await import('./s3.ts')
    return openS3Store(place, { spool: join(folder, '.incoming'), clock })
  }
  const { openFolderStore } = await import('./folder.ts')
  return openFolderStore(place.folder, clock)
}
