// Follows a guide as a reader does: runs its commands in one shell, in order, and gives what each
// block of them printed beside what the guide says that it prints.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')
const MAIN = join(ROOT, 'dist/main.js')
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
  product: {
    readonly url: string
    readonly directory: string
    /** Of the administrator. */
    readonly password?: string
    /** Of its address in the guide. */
    readonly port?: number
    readonly environment?: Readonly<Record<string, string>>
  },
): Promise<readonly FollowedBlock[]> {
  const { url, directory, password, port = 30303, environment } = product
  const blocks = readGuide(file)
  const script = [
    `logeye() { '${process.execPath}' '${MAIN}' "$@"; }`,
    `logeye-sdk() { '${process.execPath}' '${CLIENT}' "$@"; }`,
    ...(password === undefined ? [] : [patientSleep(url)]),
    ...blocks.flatMap(({ commands }) => [inProduct(commands, url, port), `echo '${MARK}'`]),
  ].join('\n')
  const child = spawn('bash', ['-c', script], {
    cwd: directory,
    env: {
      ...process.env,
      ...environment,
      ...(password === undefined ? {} : { LOGEYE_PASSWORD: password }),
    },
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

/** A reader waits until what he has sent is found; a machine that does ten other things may need
 *  longer than the guide says, 60 s at most. */
function patientSleep(url: string): string {
  const state = `logeye-sdk -productURL ${url}/logeye -user admin -api systemState -output json`
  return `sleep() {
  command sleep "$1"
  for turn in $(seq 60); do
    ${state} | tr -d ' \\n' | grep -q '"waiting":{"bytes":0,' && return
    command sleep 1
  done
}`
}

/** The address of the test's product, and the password of its own. */
function inProduct(commands: string, url: string, port: number): string {
  return commands
    .replaceAll(`http://localhost:${port}`, url)
    .replace(/^export LOGEYE_PASSWORD=….*$/m, '')
}

/** `…` stands for anything within a line. */
export function saidPattern(said: string): RegExp {
  const parts = said.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}
