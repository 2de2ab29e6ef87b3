// The key that signs the evidence chain: Ed25519, made once. The private half is encrypted by the
// key file (infra/secrets), so that whoever changes rows of the database cannot sign them.
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import type { Database, DatabaseTransaction } from '../database/port.ts'
import {
  openSecret,
  type SecretKey,
  type SecretPlace,
  sealedSchema,
  sealSecret,
} from '../secrets/secret-box.ts'
import type { SecretKeys } from '../secrets/secret-keys.ts'
import { printPublicKey } from '../signed-documents/signed-document.ts'

const PLACE: SecretPlace = { kind: 'evidence', id: 1, field: 'privateKey' }
const DIGEST_KEY_BYTES = 16

export type EvidenceKey = {
  readonly privateKey: KeyObject
  /** Base64 of its 32 bytes. */
  readonly publicKey: string
  /** Of the hashes of rows; 16 bytes. */
  readonly digestKey: Buffer
}

type KeyDeps = { readonly database: Database; readonly keys: SecretKeys }

/** Undefined: none was made yet. Fails with secrets.* and evidence.key. */
export async function readEvidenceKey({
  database,
  keys,
}: KeyDeps): Promise<EvidenceKey | undefined> {
  const row = await readRow(database.read)
  return row === undefined ? undefined : openKey(row.sealed, keys)
}

/** Of several that make one at once, one wins. */
export async function openEvidenceKey(
  { database, keys }: KeyDeps,
  clock: Pick<Clock, 'nowMs' | 'randomBytes'>,
): Promise<EvidenceKey> {
  const known = await readEvidenceKey({ database, keys })
  if (known !== undefined) return known
  const key = await keys.current(database.read)
  const pem = generateKeyPairSync('ed25519')
    .privateKey.export({ format: 'pem', type: 'pkcs8' })
    .toString()
  const made = { sealed: seal(key, pem, clock), public_key: fromPem(pem).publicKey }
  const sealed = await database.write(async (transaction) => {
    const other = await readRow(transaction)
    if (other !== undefined) return other.sealed
    await keys.claim(transaction, key)
    const row = { number: 1, ...made, made_ms: clock.nowMs() }
    await transaction.insertInto('evidence_keys').values(row).execute()
    return made.sealed
  })
  return openKey(sealed, keys)
}

/** For a new key of secrets. False: there is none, or it cannot be opened. */
export async function resealEvidenceKey(
  transaction: DatabaseTransaction,
  { keys, key, clock }: { keys: SecretKeys; key: SecretKey; clock: Pick<Clock, 'randomBytes'> },
): Promise<boolean> {
  const row = await readRow(transaction)
  if (row === undefined) return false
  const pem = openPem(row.sealed, keys)
  if (pem === undefined) return false
  await transaction
    .updateTable('evidence_keys')
    .set({ sealed: seal(key, pem, clock) })
    .where('number', '=', 1)
    .execute()
  return true
}

async function readRow(db: Database['read']) {
  return await db.selectFrom('evidence_keys').selectAll().where('number', '=', 1).executeTakeFirst()
}

function openKey(text: string, keys: SecretKeys): EvidenceKey {
  const pem = openPem(text, keys)
  if (pem === undefined) throw new Failure('evidence.key')
  return fromPem(pem)
}

function openPem(text: string, keys: SecretKeys): string | undefined {
  const sealed = sealedSchema.safeParse(parse(text))
  if (!sealed.success) return undefined
  return openSecret(keys.find(sealed.data.key), PLACE, sealed.data)
}

function seal(key: SecretKey, pem: string, clock: Pick<Clock, 'randomBytes'>): string {
  return JSON.stringify(sealSecret(key, PLACE, pem, clock))
}

function fromPem(pem: string): EvidenceKey {
  const privateKey = createPrivateKey(pem)
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' })
  const digestKey = createHmac('sha256', secret).update('logeye row digests').digest()
  return {
    privateKey,
    publicKey: printPublicKey(createPublicKey(privateKey)),
    digestKey: digestKey.subarray(0, DIGEST_KEY_BYTES),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
