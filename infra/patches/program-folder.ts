// The folder with `dist` and `node_modules`: this file runs from the sources and from dist/, which
// lie at different depths.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export function programFolder(): string {
  const above = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
  return existsSync(join(above, 'package.json')) ? above : dirname(above)
}
