// Makes a patch of the product of what is built in `dist`: a tool of the maker, and of tests.
//   npx tsx infra/scripts/sign-license.ts --new-key patch.pem      prints the public key
//   npm run build && npx tsx infra/scripts/make-patch.ts --key patch.pem --number 7 --name "cure for …"
//     --from 0.1.0,0.1.1 --out logeye-patch-7.patch [--folder <program>]
import { createPrivateKey } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { MIGRATIONS } from '../database/migrate.ts'
import { packPatch } from '../patches/patch-archive.ts'
import { DATA_FORMAT } from '../supervisor/data-format.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: { key: text, number: text, name: text, from: text, out: text, folder: text },
})
const { folder = '.' } = values
const files = ['dist', 'package.json'].flatMap((name) => listFiles(join(folder, name)))
const patch = {
  number: Number(wanted('number')),
  name: wanted('name'),
  from: wanted('from').split(','),
  migration: MIGRATIONS.at(-1)?.number ?? 0,
  dataFormat: DATA_FORMAT,
}
const contents = files.map((file) => ({
  path: relative(folder, file).replaceAll('\\', '/'),
  content: readFileSync(file),
}))
const archive = packPatch(patch, contents, createPrivateKey(readFileSync(wanted('key'))))
writeFileSync(wanted('out'), archive)
process.stdout.write(`${wanted('out')}: ${files.length} files, ${archive.length} bytes\n`)

function listFiles(path: string): string[] {
  if (path.endsWith('package.json')) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map') && entry.name !== '.stamp')
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function wanted(name: keyof typeof values): string {
  const value = values[name]
  if (value !== undefined) return value
  process.stderr.write(`make-patch: --${name} is missing\n`)
  process.exit(2)
}
