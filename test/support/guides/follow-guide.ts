// Follows a guide as a reader does: runs its commands in one shell, in order, and gives what each
// block of them printed beside what the guide says that it prints.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')
const CLIENT = join(ROOT, 'dist/query/sdk/client/main.js')
const MARK = '===== end of block'

export type FollowedBlock = {
  readonly commands: string
  readonly printed: string
  /** Undefined: the guide does not say. */
  readonly said: string | undefined
}

/** Blocks `sh`, each with the block `text` that follows it. */
export function readGuide(file: string): readonly { commands: string; said: string | undefined }[] {
  const text = readFileSync(join(ROOT, 'docs/guides', file), 'utf8')
  const blocks: { commands: string; said: string | undefined }[] = []
  for (const [, kind = '', body = ''] of text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    const last = blocks.at(-1)
    if (kind === 'sh') blocks.push({ commands: body, said: undefined })
    else if (kind === 'text' && last !== undefined) last.said = body
  }
  return blocks
}

export async function followGuide(
  file: string,
  product: { readonly url: string; readonly password: string; readonly directory: string },
): Promise<readonly FollowedBlock[]> {
  const blocks = readGuide(file)
  const script = [
    `logeye-sdk() { '${process.execPath}' '${CLIENT}' "$@"; }`,
    ...blocks.flatMap(({ commands }) => [inProduct(commands, product.url), `echo '${MARK}'`]),
  ].join('\n')
  const child = spawn('bash', ['-c', script], {
    cwd: product.directory,
    env: { ...process.env, LOGEYE_PASSWORD: product.password },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const take = (piece: Buffer) => {
    printed += piece.toString()
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  await new Promise((resolve) => child.on('close', resolve))
  const outputs = printed.split(`${MARK}\n`)
  return blocks.map((block, at) => ({ ...block, printed: outputs[at] ?? '' }))
}

/** The address of the test's product, and the password of its own. */
function inProduct(commands: string, url: string): string {
  return commands
    .replaceAll('http://localhost:30303', url)
    .replace(/^export LOGEYE_PASSWORD=….*$/m, '')
}

/** `…` stands for anything within a line. */
export function saidPattern(said: string): RegExp {
  const parts = said.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}
