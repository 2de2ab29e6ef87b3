// A table that was made on a full disk has an empty file for its definition, since the engine drops
// errors of writing (write-watch.ts). With it the engine does not start. Who made the table was not
// answered, and makes it again.
import { readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'

const DEFINITION = '.sql'
/** What the directory of a table has that no row is in. */
const WITHOUT_ROWS: ReadonlySet<string> = new Set(['detached', 'format_version.txt'])

/** Before the engine is opened. Gives the tables. An empty definition of a table that has rows
 *  stays: that start has to fail. */
export function removeEmptyDefinitions(directory: string): string[] {
  const removed: string[] = []
  for (const path of filesOf(join(directory, 'store'))) {
    if (!path.endsWith(DEFINITION) || statSync(path).size > 0) continue
    const table = basename(path, DEFINITION)
    const data = list(join(directory, 'data/default', table))
    if (data.some((name) => !WITHOUT_ROWS.has(name))) continue
    rmSync(path)
    removed.push(table)
  }
  return removed
}

/** The files in the directories `<three digits>/<id>` of databases and tables. */
function filesOf(directory: string): string[] {
  return list(directory).flatMap((group) =>
    list(join(directory, group)).flatMap((id) =>
      list(join(directory, group, id)).map((name) => join(directory, group, id, name)),
    ),
  )
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
