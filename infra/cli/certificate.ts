// `logeye certificate`: a self-signed pair for development, with the settings that use it.
import { existsSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import { makeDataDir } from '../data-dir/make-data-dir.ts'
import { makeSelfSigned } from './self-signed.ts'

/** Writes the pair into the data directory and gives the text to print. Fails with start.refused
 *  when one is there. */
export function writeCertificate(dataDir: string, hosts: readonly string[], clock: Clock): string {
  const certificateFile = join(dataDir, 'certificate.pem')
  const keyFile = join(dataDir, 'certificate-key.pem')
  for (const file of [certificateFile, keyFile])
    if (existsSync(file))
      throw new Failure('start.refused', { reason: `${file} exists: remove it to make a new pair` })
  const names = hosts.length > 0 ? hosts : ['localhost', '127.0.0.1', '::1', hostname()]
  const pair = makeSelfSigned(names, clock)
  makeDataDir(dataDir)
  writeFileSync(keyFile, pair.key, { mode: 0o600, flag: 'wx' })
  writeFileSync(certificateFile, pair.certificate, { mode: 0o644, flag: 'wx' })
  return `A self-signed certificate for ${names.join(', ')}. For development: clients must be told to trust it.

  export LOGEYE_HTTP_CERTIFICATE_FILE='${certificateFile}'
  export LOGEYE_HTTP_KEY_FILE='${keyFile}'
`
}
