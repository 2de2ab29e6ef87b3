// The engine counts what it freezes (backups, moves to another disk) in a small file, which a kill
// or a full disk may leave empty: then it freezes nothing any more. Named freezes do not need the
// number, so such a file may go.
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Before the engine is opened; `disk`: its directory, or one of another disk. */
export function removeEmptyIncrement(disk: string): void {
  const path = join(disk, 'shadow', 'increment.txt')
  if (statSync(path, { throwIfNoEntry: false })?.size === 0) rmSync(path)
}
