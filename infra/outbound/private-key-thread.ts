// The thread that reads one private key: its passphrase is stretched as often as the key says, and
// the package reads some texts in a time that grows with their square.
import { createPrivateKey } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import ssh2, { type ParsedKey } from 'ssh2'
import { z } from 'zod'

/** `key`: the same one, which needs no passphrase. */
export type ReadKey = { readonly key: string } | { readonly fault: string }

const { text, passphrase } = z
  .object({ given: z.object({ text: z.string(), passphrase: z.string().optional() }) })
  .parse(workerData).given

parentPort?.postMessage(readKey())

function readKey(): ReadKey {
  const parsed = ssh2.utils.parseKey(text, passphrase)
  const key = Array.isArray(parsed) ? parsed[0] : parsed
  if (key === undefined) return { fault: 'holds no key' }
  if (key instanceof Error) {
    if (/no passphrase given/i.test(key.message)) return { fault: 'is encrypted: give -passphrase' }
    return passphrase !== undefined && /decrypt|passphrase|integrity|bad/i.test(key.message)
      ? { fault: 'does not open with this passphrase' }
      : { fault: 'is no private key in the form of OpenSSH, PEM or PPK' }
  }
  if (!key.isPrivateKey()) return { fault: 'is a public key: the private one is needed' }
  return { key: printPlain(key) }
}

/** In a form that the package reads again: not PKCS#8, in which it prints keys of Ed25519. */
function printPlain(key: ParsedKey): string {
  const pem = key.getPrivatePEM()
  if (key.type !== 'ssh-ed25519') return pem
  const { d = '', x = '' } = createPrivateKey(pem).export({ format: 'jwk' })
  const [secret, open] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]
  // PROTOCOL.key of OpenSSH: two equal numbers, the key, its comment, bytes up to a whole block.
  const check = Buffer.alloc(8)
  const bare = [
    check,
    field(key.type),
    field(open),
    field(Buffer.concat([secret, open])),
    field(''),
  ]
  const length = Buffer.concat(bare).length
  const rest = Buffer.from(Array.from({ length: -length & 7 }, (_, i) => i + 1))
  const whole = Buffer.concat([
    ...[Buffer.from('openssh-key-v1\0'), field('none'), field('none'), field('')],
    ...[Buffer.from([0, 0, 0, 1]), field(key.getPublicSSH())],
    field(Buffer.concat([...bare, rest])),
  ])
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${whole.toString('base64')}\n-----END OPENSSH PRIVATE KEY-----`
}

function field(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
