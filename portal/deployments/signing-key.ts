// The key that entitlements are signed with: made once, kept sealed; its public half is anybody's.
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { printPublicKey } from '../../infra/signed-documents/signed-document.ts'
import type { PortalKeys } from '../access/portal-keys.ts'
import type { PortalDatabase, PortalReader } from '../database/open.ts'

export type SigningKey = {
  readonly key: KeyObject
  /** 32 bytes as base64. */
  readonly publicKey: string
}

const NAME = 'entitlement'
const PLACE = 'signing key of entitlements'

/** Reads the key, or makes it: of several processes that start at once one wins. Fails with
 *  secrets.key_missing when the key file is not the one that sealed it. */
export async function openSigningKey(
  database: PortalDatabase,
  keys: PortalKeys,
): Promise<SigningKey> {
  const known = await readKey(database.read, keys)
  if (known !== undefined) return known
  const made = generateKeyPairSync('ed25519')
  const pem = String(made.privateKey.export({ format: 'pem', type: 'pkcs8' }))
  const publicKey = printPublicKey(made.publicKey)
  return await database.write(async (transaction) => {
    const other = await readKey(transaction, keys)
    if (other !== undefined) return other
    const row = { name: NAME, public_key: publicKey, sealed: keys.seal(PLACE, pem) }
    await transaction.insertInto('signing_keys').values(row).execute()
    return { key: made.privateKey, publicKey }
  })
}

async function readKey(db: PortalReader, keys: PortalKeys): Promise<SigningKey | undefined> {
  const found = db.selectFrom('signing_keys').selectAll().where('name', '=', NAME)
  const row = await found.executeTakeFirst()
  if (row === undefined) return undefined
  return { key: createPrivateKey(keys.open(PLACE, row.sealed)), publicKey: row.public_key }
}
