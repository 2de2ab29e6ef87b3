// The ports, the certificate, and the address in links.
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { Config } from '../config-schema.ts'
import { publicUrlOf } from '../config-schema.ts'
import { readPair } from '../http/certificate.ts'
import { tryListen } from '../http/try-listen.ts'
import { isDataDirHeld } from '../supervisor/data-dir-lock.ts'
import { bad, type Examination, type Finding, ok, warn } from './check.ts'

const DAY_MS = 86_400_000
const ENDING_MS = 21 * DAY_MS

export async function checkPorts({ config, product }: Examination): Promise<readonly Finding[]> {
  const { http, dataDir } = config
  if (product !== undefined) return ok(`the product answers at port ${http.plainPort}`)
  if (isDataDirHeld(dataDir))
    return bad(
      `the product runs on ${dataDir} and does not answer at port ${http.plainPort}`,
      'run doctor with the settings of the product; else see its log',
    )
  const findings: Finding[] = []
  for (const [setting, port] of portsOf(config)) {
    const taken = await tryListen({ address: http.address, port, setting })
    if (taken !== undefined)
      findings.push({
        grade: 'bad',
        text: taken.message,
        advice: `end the program that has port ${port}, or set ${setting}`,
      })
  }
  if (findings.length > 0) return findings
  return warn('the product does not run here', 'start it, or name its settings to doctor')
}

function portsOf({ http }: Pick<Config, 'http'>): readonly (readonly [string, number])[] {
  const plain = ['LOGEYE_HTTP_PLAIN_PORT', http.plainPort] as const
  const hasTls = http.certificateFile !== undefined
  return hasTls ? [plain, ['LOGEYE_HTTP_TLS_PORT', http.tlsPort]] : [plain]
}

export async function checkCertificate({
  config,
  clock,
}: Examination): Promise<readonly Finding[]> {
  const { certificateFile, keyFile } = config.http
  if (certificateFile === undefined || keyFile === undefined)
    return ok('no HTTPS: LOGEYE_HTTP_CERTIFICATE_FILE is not set')
  // Fails with http.certificate, which says what does not fit.
  await readPair({ certificateFile, keyFile })
  const certificate = new X509Certificate(await readFile(certificateFile))
  const { host } = new URL(publicUrlOf(config, config.http.plainPort))
  const name = host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
  const endMs = Date.parse(certificate.validTo)
  const end = new Date(endMs).toISOString().slice(0, 10)
  const renew = 'renew it; a new pair in the same files is taken without a restart'
  if (endMs <= clock.nowMs()) return bad(`the certificate ended on ${end}`, renew)
  if (Date.parse(certificate.validFrom) > clock.nowMs())
    return bad(
      `the certificate is valid from ${certificate.validFrom} on`,
      'see the clock, or renew it',
    )
  if (endMs < clock.nowMs() + ENDING_MS) return warn(`the certificate ends on ${end}`, renew)
  const isFor = isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)
  if (config.publicUrl?.startsWith('https:') && isFor === undefined)
    return warn(
      `the certificate is not for ${name}, the name in LOGEYE_PUBLIC_URL`,
      'have one made for that name',
    )
  return ok(`the certificate is good until ${end}`)
}

export function checkPublicUrl({ config }: Examination): readonly Finding[] {
  const { publicUrl, http } = config
  if (publicUrl === undefined)
    return warn(
      `links in answers begin with ${publicUrlOf(config, http.plainPort)}, which leads nowhere from other machines`,
      'set LOGEYE_PUBLIC_URL to the address that people and programs use',
    )
  return ok(`links begin with ${publicUrlOf(config, http.plainPort)}`)
}
