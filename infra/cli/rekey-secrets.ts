// `logeye rekey-secrets`: a new key at the end of the key file, and every secret encrypted with it,
// in one transaction. The product may run. Other nodes need a copy of the file then.
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/port.ts'
import { resealEvidenceKey } from '../evidence/evidence-key.ts'
import { openToken, sealToken } from '../heartbeat/deployment-token.ts'
import { readPortalLink, writeToken } from '../heartbeat/portal-link.ts'
import { requireFactorKeys, resealFactors } from '../metastore/access/factor-secrets.ts'
import {
  type BookAccount,
  listBookAccounts,
  openSecrets,
  resealAccount,
  type Secrets,
  secretNames,
} from '../metastore/address-book/book-accounts.ts'
import { addKey } from '../secrets/key-file.ts'
import { addCurrentKey, SecretKeys } from '../secrets/secret-keys.ts'

/** Resolves with what was done. Fails with secrets.* when one cannot be read, unless its loss is
 *  accepted. */
export async function rekeySecrets(
  database: Database,
  options: {
    readonly keyFile: string
    readonly clock: Pick<Clock, 'nowMs' | 'randomBytes'>
    readonly isLossAccepted: boolean
  },
): Promise<string> {
  const { keyFile, clock, isLossAccepted } = options
  const keys = new SecretKeys(keyFile, clock)
  // Before a key is made for nothing.
  for (const account of await listBookAccounts(database.read)) open(account)
  if (!isLossAccepted) await requireFactorKeys(database.read, keys)
  const key = addKey(keyFile, clock)
  const lost: string[] = []
  let count = 0
  await database.write(async (transaction) => {
    lost.length = 0
    count = 0
    for (const account of await listBookAccounts(transaction)) {
      if (secretNames(account).length === 0) continue
      const secrets = open(account)
      for (const name of secretNames(account))
        if (name in secrets) count += 1
        else lost.push(`${name} of ${account.name}`)
      await resealAccount(transaction, account, { secrets, key, clock })
    }
    // One that cannot be opened is replaced by the licence key.
    const token = openToken((await readPortalLink(transaction))?.token ?? '', keys)
    if (token !== undefined) {
      await writeToken(transaction, sealToken(key, token, clock))
      count += 1
    }
    const factors = await resealFactors(transaction, { keys, key, clock })
    count += factors.count
    lost.push(...factors.lost.map((name) => `second factor of ${name}`))
    if (await resealEvidenceKey(transaction, { keys, key, clock })) count += 1
    await addCurrentKey(transaction, key.id, clock.nowMs())
  })
  const done = `${count} ${count === 1 ? 'secret is' : 'secrets are'} encrypted with the new key ${key.id} of ${keyFile}. Copy this file to the other nodes, and keep a copy.`
  return lost.length === 0 ? done : `${done}\nLost, to be given again: ${lost.join(', ')}`

  function open(account: BookAccount): Secrets {
    const opened: [string, string | undefined][] = []
    for (const [field, sealed] of Object.entries(account.sealed))
      try {
        opened.push(
          ...Object.entries(openSecrets({ ...account, sealed: { [field]: sealed } }, keys)),
        )
      } catch (error) {
        if (!isLossAccepted || !(error instanceof Failure) || !error.code.startsWith('secrets.'))
          throw error
      }
    return Object.fromEntries(opened)
  }
}
