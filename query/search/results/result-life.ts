// How long stored results live, and the addresses of their files (decisions 4.5, 4.6).
import type { Clock } from '../../../infra/clock.ts'
import type { NewResultFile } from '../../../infra/metastore/searches/search-results.ts'
import type { FileFormat } from '../print/row-printer.ts'
import { hashSecret, makeSecret } from './secret.ts'

/** After the last use. */
export const PAGE_TOKEN_KEPT_MS = 10 * 60_000
const FILE_KEPT_MS = 24 * 3_600_000

export const FILES_PATH = '/logeye/results'

/** A new file of these rows. */
export function fileOf(
  resultId: string,
  format: FileFormat,
  rows: { readonly firstRow: number; readonly rowCount: number },
  clock: Clock,
): { readonly record: NewResultFile; readonly path: string } {
  const secret = makeSecret(clock)
  return {
    path: `${FILES_PATH}/${secret}.${format}`,
    record: {
      ...rows,
      idHash: hashSecret(secret),
      resultId,
      resultFormat: format,
      expiresMs: clock.nowMs() + FILE_KEPT_MS,
    },
  }
}

/** The hash of the id and the format that a file's name says; undefined for what is no such
 *  name. */
export function readFileName(
  name: string,
): { readonly idHash: string; readonly format: FileFormat } | undefined {
  const [, secret, format] = /^([A-Za-z0-9_-]{32})\.(xml|csv)$/.exec(name) ?? []
  if (secret === undefined || format === undefined) return undefined
  return { idHash: hashSecret(secret), format: format === 'xml' ? 'xml' : 'csv' }
}
