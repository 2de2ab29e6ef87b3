// Engines come as compiled packages, each with a binary per platform. Where one is not there, or
// cannot be loaded, the loaders say so in texts of their own with stacks; here it becomes one line.
import { Failure } from '../schemas/failures.ts'

/** Packages by what stands in the texts of their loaders. */
const PACKAGES = [
  { name: 'lmdb', mark: /\blmdb\b/ },
  { name: 'libsql', mark: /@?libsql\b/ },
  { name: 'chdb', mark: /@?chdb\b/ },
  { name: 'uWebSockets.js', mark: /\buws|uWebSockets/i },
] as const

const LOAD_CODES = [
  'MODULE_NOT_FOUND',
  'ERR_MODULE_NOT_FOUND',
  'ERR_DLOPEN_FAILED',
  'CHDB_PLATFORM',
]
const LOAD_TEXT = /no native (build|binding)|\.node['\s]/i

type Machine = { readonly platform: string; readonly arch: string; readonly version: string }

/** start.refused with what to do; undefined when the error is another. */
export function missingBinary(error: unknown, machine: Machine = process): Failure | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? String(error.code) : ''
  if (!LOAD_CODES.includes(code) && !LOAD_TEXT.test(error.message)) return undefined
  // After it come paths, in which any name may stand.
  const [text = ''] = error.message.split('\nRequire stack')
  const found = PACKAGES.find(({ mark }) => mark.test(text))
  if (found === undefined) return undefined
  const { platform, arch, version } = machine
  const reason = `the package ${found.name} has no binary that loads here (${platform}-${arch}, Node ${version.replace(/^v/, '')}): run 'npm ci' on this machine, without leaving out optional packages; if that does not help, this platform or Node is not supported`
  return new Failure('start.refused', { reason }, error)
}
