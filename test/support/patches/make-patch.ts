// Patches of a small program, which says who it is and stays until it is stopped.
import { generateKeyPairSync } from 'node:crypto'
import { MIGRATIONS } from '../../../infra/database/migrate.ts'
import { packPatch } from '../../../infra/patches/patch-archive.ts'
import { printPublicKey } from '../../../infra/signed-documents/signed-document.ts'
import { DATA_FORMAT } from '../../../infra/supervisor/data-format.ts'

export const VERSION = '0.1.0'
const pair = generateKeyPairSync('ed25519')
export const MAKER = pair.privateKey
export const PUBLIC_KEY = printPublicKey(pair.publicKey)

export type SmallProgram = 'healthy' | 'silent' | 'crashing'

const PROGRAMS: Readonly<Record<SmallProgram, string>> = {
  healthy: "process.send('logeye-ready')",
  silent: '',
  crashing: 'process.exit(3)',
}

/** Beside the program. */
const PART = './part.js'

/** It writes its number into the file `running` of the working directory, and stays while its
 *  launcher is connected. */
export function programOf(number: number, kind: SmallProgram): string {
  return `import { writeFileSync } from 'node:fs'
import { part } from '${PART}'
if (part !== ${number}) { writeFileSync('mixture', 'yes'); process.exit(9) }
writeFileSync('running', '${number}')
process.on('disconnect', () => process.exit(0))
process.on('message', () => undefined)
${PROGRAMS[kind]}
`
}

export function filesOf(number: number, kind: SmallProgram = 'healthy') {
  const file = (path: string, text: string) => ({ path, content: Buffer.from(text) })
  return [
    file('dist/main.js', programOf(number, kind)),
    file('dist/part.js', `export const part = ${number}\n`),
    file('package.json', '{"type":"module"}'),
    // So that laying it down takes a moment.
    ...Array.from({ length: 40 }, (_, at) => file(`dist/more/${at}.js`, `${number}\n`.repeat(500))),
  ]
}

export function makePatch(
  number: number,
  options: {
    readonly kind?: SmallProgram
    readonly from?: readonly string[]
    readonly key?: typeof MAKER
    readonly files?: ReturnType<typeof filesOf>
    readonly migration?: number
  } = {},
): Buffer {
  const { kind = 'healthy', from = [VERSION], key = MAKER, files = filesOf(number, kind) } = options
  const { migration = MIGRATIONS.at(-1)?.number ?? 0 } = options
  const patch = { number, name: `cure ${number}`, from: [...from], migration }
  return packPatch({ ...patch, dataFormat: DATA_FORMAT }, files, key)
}
