// A certificate and its key on disk: read together, checked to fit, and looked at once a second for
// a renewed pair.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { Failure } from '../../schemas/failures.ts'
import { describeError, type Logger } from '../logger.ts'

const LOOK_EVERY_MS = 1000

export type TlsFiles = { readonly certificateFile: string; readonly keyFile: string }
export type Pair = { readonly cert: Buffer; readonly key: Buffer }

/**
 * Fails with http.certificate when the pair cannot be used now. `onRenewed` gets each later pair
 * that fits together; one that is half written is looked at again.
 */
export async function openCertificate(
  files: TlsFiles,
  onRenewed: (pair: Pair) => void,
  logger: Logger,
): Promise<{ readonly pair: Pair; close(): void }> {
  let seen = await fingerprint(files)
  const pair = await readPair(files)

  let hasWarned = false
  let isLooking = false
  const look = async (): Promise<void> => {
    const now = await fingerprint(files)
    if (now === seen) return
    try {
      const renewed = await readPair(files)
      if ((await fingerprint(files)) !== now) return
      onRenewed(renewed)
      seen = now
      hasWarned = false
      logger.info('certificate renewed')
    } catch (error) {
      if (!hasWarned) logger.warn('renewed certificate cannot be used yet', describeError(error))
      hasWarned = true
    }
  }
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    void look().finally(() => {
      isLooking = false
    })
  }, LOOK_EVERY_MS)
  timer.unref()
  return { pair, close: () => clearInterval(timer) }
}

/** Changes when either file does; '' while one is missing. */
async function fingerprint(files: TlsFiles): Promise<string> {
  try {
    const both = await Promise.all([stat(files.certificateFile), stat(files.keyFile)])
    return both.map((file) => `${file.ino}:${file.size}:${file.mtimeMs}`).join(' ')
  } catch {
    return ''
  }
}

/** Fails with http.certificate. */
export async function readPair(files: TlsFiles): Promise<Pair> {
  try {
    const [cert, key] = await Promise.all([
      readFile(files.certificateFile),
      readFile(files.keyFile),
    ])
    createSecureContext({ cert, key })
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
      throw new Error('the key does not belong to the certificate')
    return { cert, key }
  } catch (error) {
    // The text is OpenSSL's or the file system's: it names files and formats, no contents.
    const reason = error instanceof Error ? error.message : 'unknown'
    throw new Failure('http.certificate', { reason }, error)
  }
}
