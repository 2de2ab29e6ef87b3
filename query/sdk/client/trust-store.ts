// Which certificates the client believes (decision 8.2): a trust store in PEM or PKCS#12, else
// those of Node.
import { readFileSync } from 'node:fs'
import { rootCertificates, type SecureContextOptions } from 'node:tls'
import { readPkcs12Certificates } from './pkcs12.ts'

export const KEYSTORE_NAME = '.keystore'

export type Trust = { readonly options: SecureContextOptions } | { readonly fault: string }

/** `defaultFile` may be absent; a file that was named must be there. */
export function readTrustStore(source: {
  readonly file: string | undefined
  readonly defaultFile: string
  readonly password: string | undefined
}): Trust {
  const file = source.file ?? source.defaultFile
  const bytes = readBytes(file)
  if (bytes === undefined)
    return source.file === undefined ? { options: {} } : { fault: `${file} cannot be read` }
  if (bytes.includes('-----BEGIN CERTIFICATE-----'))
    return { options: { ca: [...rootCertificates, bytes.toString('utf8')] } }
  return readPkcs12(file, bytes, source.password)
}

function readBytes(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

function readPkcs12(file: string, bytes: Buffer, password: string | undefined): Trust {
  try {
    return {
      options: { ca: [...rootCertificates, ...readPkcs12Certificates(bytes, password ?? '')] },
    }
  } catch {
    const hint = password === undefined ? '; -keystorePassword is missing' : ''
    return {
      fault: `${file} is neither PEM nor a PKCS#12 trust store (AES) that opens with its password${hint}`,
    }
  }
}
