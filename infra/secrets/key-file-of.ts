// Where the keys of secrets lie.
import { join } from 'node:path'
import type { Config } from '../config-schema.ts'

const KEY_FILE = 'secrets.key'

export function keyFileOf({ secrets, dataDir }: Pick<Config, 'secrets' | 'dataDir'>): string {
  return secrets.keyFile ?? join(dataDir, KEY_FILE)
}
