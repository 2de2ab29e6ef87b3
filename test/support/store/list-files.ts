// The files of a running engine, which removes some while they are listed.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Paths from the directory on, of files and of folders, as they are met; without what is gone
 *  meanwhile. */
export function listFiles(directory: string): string[] {
  return entriesOf(directory).flatMap((entry) =>
    entry.isDirectory()
      ? [
          entry.name,
          ...listFiles(join(directory, entry.name)).map((path) => join(entry.name, path)),
        ]
      : [entry.name],
  )
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
