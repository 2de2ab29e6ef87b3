// Signs a licence: a tool of the maker, and of tests.
//   npx tsx infra/scripts/sign-license.ts --new-key key.pem
//   npx tsx infra/scripts/sign-license.ts --key key.pem --server-key <key> --name <whose> --end 2027-12-31
//     [--volume 10GiB] [--features a,b] [--begin 2027-01-01] [--id <id>]
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parseByteSize } from '../../schemas/byte-size.ts'
import { systemClock } from '../clock.ts'
import { printDocument, printPublicKey } from '../signed-documents/signed-document.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    'new-key': text,
    key: text,
    'server-key': text,
    name: text,
    volume: text,
    features: text,
    begin: text,
    end: text,
    id: text,
  },
})

process.stdout.write(values['new-key'] === undefined ? sign() : makeKey(values['new-key']))

function makeKey(file: string): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' })
  writeFileSync(file, pem, { mode: 0o600, flag: 'wx' })
  return `LOGEYE_LICENSE_PUBLIC_KEY=${printPublicKey(createPublicKey(privateKey))}\n`
}

function sign(): string {
  const { volume, features = '', begin } = values
  const end = momentOf(wanted('end'))
  const name = wanted('name')
  const content = {
    type: 'license',
    id: values.id ?? systemClock.randomBytes(8).toString('hex'),
    name,
    serverKey: wanted('server-key'),
    volumeBytesPerDay: volume === undefined ? 0 : (parseByteSize(volume) ?? fail('--volume')),
    features: features.split(',').filter((one) => one !== ''),
    begin: begin === undefined ? new Date(systemClock.nowMs()).toISOString() : momentOf(begin),
    end,
  }
  const key = createPrivateKey(readFileSync(wanted('key')))
  return printDocument(content, key, [
    `Logeye licence of ${name.replace(/\s+/g, ' ')}, until ${end}`,
  ])
}

function momentOf(given: string): string {
  const ms = Date.parse(given)
  return Number.isNaN(ms) ? fail(given) : new Date(ms).toISOString()
}

function wanted(name: 'key' | 'server-key' | 'name' | 'end'): string {
  return values[name] ?? fail(`--${name}`)
}

function fail(what: string): never {
  process.stderr.write(`sign-license: ${what} is missing or cannot be read\n`)
  process.exit(2)
}
