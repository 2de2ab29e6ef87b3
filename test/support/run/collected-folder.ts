import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'

/** A new folder for files that a product collects. It reads nothing below /dev, where TMPDIR may be
 *  (vitest.config.ts). */
export const makeCollectedFolder = (): string =>
  mkdtempSync(join('/var/tmp', 'logeye-test-collected-'))
