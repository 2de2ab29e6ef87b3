// The key that documents of the maker are signed with. Its other half is the maker's alone.
import type { KeyObject } from 'node:crypto'
import { parsePublicKey } from './signed-document.ts'

const BUILT_IN = '11PjpBgeJVYPApOPMQKbOnwzKRpEpLqn8Ifb2kmtcQQ='

export type TrustedKey = { readonly key: KeyObject; readonly isBuiltIn: boolean }

/** `configured`: LOGEYE_LICENSE_PUBLIC_KEY. */
export function readTrustedKey(configured: string | undefined): TrustedKey {
  const key = parsePublicKey(configured ?? BUILT_IN)
  if (key === undefined) throw new Error('the trusted key is no Ed25519 key')
  return { key, isBuiltIn: configured === undefined }
}
