// Prints the expressions that the product makes from texts: a separate process, since modules that
// are loaded already make none. A line for each: file, line, source and flags.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = join(import.meta.dirname, '../../..')

export type Made = {
  readonly file: string
  readonly line: number
  readonly source: string
  readonly flags: string
}

/** Calls whose expressions are made within functions; texts from outside that are hostile, where
 *  some become a part of the expression. */
const CALLS: readonly (() => Promise<unknown>)[] = [
  async () => {
    const { compileDateFormat } = await load('schemas/time/date-format.ts')
    compileDateFormat('MM/dd/yyyy HH:mm:ss')
    compileDateFormat("H'h'm yyyy-M-d K")
  },
  async () => (await load('schemas/masking/mask-pattern.ts')).parseMaskPattern('{word:3}'),
  async () => (await load('schemas/portal/common.ts')).idOf('opr', 'an operator'),
  async () => (await load('infra/database/foreign/mark-parameter.ts')).putMark('', ''),
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'logeye-test-made-'))
    const generations = await load('infra/event-log/embedded/generations.ts')
    await generations.removeDrafts({ directory, partition: 1 })
    await generations.generationsOf({ directory, partition: 1 })
    rmSync(directory, { recursive: true, force: true })
  },
  async () => {
    const route = { body: { kind: 'streamed' }, methods: ['POST'], path: '/a/{b}/{c}' }
    const { findStreamedRoutes } = await load('infra/http/routes/streamed-routes.ts')
    return findStreamedRoutes([route])
  },
  async () => {
    const { levelPattern } = await load('ingest/collect/path-pattern.ts')
    return ['[a-z]', '[!*+?(|]', '[^\\a]'].map((it) => levelPattern(it))
  },
  async () => {
    const { makeEventFilter } = await load('query/language/event-filter.ts')
    return ['*a*a*a*b', '"a.* b"', '"(a+)+$"'].map((it) => makeEventFilter(it, ['message']))
  },
  async () => {
    const { markWords } = await load('web/shared/query/searched-words.ts')
    return markWords('a', ['a', 'aa', '(a+)+$', '.*.*x'])
  },
]

// biome-ignore lint/suspicious/noExplicitAny: modules by name, of any exports
const load = (file: string): Promise<any> => import(join(ROOT, file))

function record(made: Map<string, Made>, { source, flags }: RegExp): void {
  const here = import.meta.filename
  for (const frame of new Error('frames').stack?.split('\n').slice(1) ?? []) {
    const [, path = '', line = ''] = /\(?((?:file:\/\/)?\/[^()]+?):(\d+):\d+\)?$/.exec(frame) ?? []
    const file = path.startsWith('file:') ? fileURLToPath(path) : path
    if (file === '' || file === here) continue
    if (!file.startsWith(`${ROOT}/`) || file.includes('/node_modules/')) return
    const one = { file: file.slice(ROOT.length + 1), line: Number(line), source, flags }
    made.set(JSON.stringify(one), one)
    return
  }
}

async function main(files: readonly string[]): Promise<void> {
  const made = new Map<string, Made>()
  Error.stackTraceLimit = 4
  globalThis.RegExp = new Proxy(RegExp, {
    construct(target, given, created) {
      const expression: RegExp = Reflect.construct(target, given, created)
      record(made, expression)
      return expression
    },
  })
  for (const file of files) await load(file)
  for (const call of CALLS) await call()
  for (const line of made.keys()) process.stdout.write(`${line}\n`)
}

await main(process.argv.slice(2))
