// Vitest reporter: a file that does not end. No limit of a test holds against a call that never
// comes back, and the run would wait until it is killed from outside, without a name. So what its
// worker does is told after 15 minutes; then the programs under the worker are ended, and when that
// does not help the worker itself. The run goes on with the next file, and fails.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { z } from 'zod'
import { isAlive, kill } from '../product/product.ts'
import { WORKER_FILES } from './worker-files.ts'

/** The variable for another limit, in ms: campaigns by hand take longer. */
const LIMIT = 'LOGEYE_TEST_FILE_LIMIT_MS'
/** Three times what the longest file takes on a slow machine. */
const LIMIT_MS = Number(process.env[LIMIT] ?? 15 * 60_000)
const LOOK_MS = Math.min(10_000, LIMIT_MS / 3)
/** For a report to be written, and for a worker to go on after its programs are gone. */
const GRACE_MS = Math.min(20_000, LIMIT_MS)
const MAX_LINE = 160

type Program = { readonly pid: number; readonly parent: number; readonly line: string }

export default class EndHungFiles implements Reporter {
  /** By the id of its module: there is a new module with it when its tests are known. */
  readonly #running = new Map<string, { readonly module: TestModule; readonly beganMs: number }>()
  readonly #hung = new Set<string>()
  #vitest: Vitest | undefined
  #folder = ''
  #timer: NodeJS.Timeout | undefined
  /** When the run last went on. */
  #lastMs = 0

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunStart(): void {
    this.#folder = mkdtempSync(join(tmpdir(), 'logeye-test-workers-'))
    process.env[WORKER_FILES] = this.#folder
    this.#lastMs = performance.now()
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref()
  }

  onTestModuleQueued(module: TestModule): void {
    this.#lastMs = performance.now()
    this.#running.set(module.id, { module, beganMs: performance.now() })
  }

  onTestModuleEnd(module: TestModule): void {
    this.#lastMs = performance.now()
    this.#running.delete(module.id)
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer)
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #look(): void {
    // No file of its own stands still: Vitest does.
    if (performance.now() - this.#lastMs > LIMIT_MS + 10 * GRACE_MS) {
      const names = [...this.#running.values()].map(({ module }) => module.relativeModuleId)
      console.log(`hung: the run, with ${names.join(', ') || 'no file'} in it`)
      process.exit(1)
    }
    for (const { module, beganMs } of this.#running.values()) {
      const isLate = performance.now() - beganMs > LIMIT_MS
      if (!isLate || this.#hung.has(module.id)) continue
      this.#hung.add(module.id)
      this.#end(module).catch((error) => console.log(`${module.moduleId}: ${String(error)}`))
    }
  }

  async #end(module: TestModule): Promise<void> {
    const name = module.relativeModuleId
    const failure = new Error(`${name} did not end within ${LIMIT_MS / 1000} s (${LIMIT})`)
    this.#vitest?.state.catchError(failure, 'Hung File')
    const worker = this.#workerOf(module)
    if (worker === undefined) return console.log(`hung: ${name}, and its worker is gone`)
    const under = programsUnder(worker, await listPrograms())
    console.log(
      [
        `hung: ${name}, worker ${worker}`,
        ...threadsOf(worker),
        ...(await this.#askWorker(worker).catch((error) => [String(error)])),
        ...under.map(({ line }) => line),
      ].join('\n  '),
    )
    // A thread of this process cannot be ended alone.
    if (worker === process.pid) process.exit(1)
    for (const { pid } of under) kill(pid)
    await sleep(GRACE_MS)
    if (this.#running.has(module.id)) kill(worker)
  }

  #workerOf(module: TestModule): number | undefined {
    return readdirSync(this.#folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .find((pid) => isAlive(pid) && this.#fileOf(pid) === module.moduleId)
  }

  #fileOf(pid: number): string {
    return readFileSync(join(this.#folder, String(pid)), 'utf8')
  }

  /** Where its JavaScript stands; it says so when it comes back to its event loop. */
  async #askWorker(pid: number): Promise<string[]> {
    const path = join(this.#folder, `${pid}.json`)
    if (pid === process.pid) return []
    rmSync(path, { force: true })
    process.kill(pid, 'SIGUSR2')
    for (let waited = 0; waited < GRACE_MS && !existsSync(path); waited += 100) await sleep(100)
    // It is written at once, and not in one piece.
    await sleep(500)
    if (!existsSync(path))
      return ['it does not come back to its event loop: a loop, or a call that lasts']
    const report = reportSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
    const { message, stack } = report.javascriptStack
    return message === '' ? ['no JavaScript runs: it waits'] : [message, ...stack]
  }
}

const reportSchema = z.object({
  javascriptStack: z.object({
    message: z.string().default(''),
    stack: z.array(z.string()).default([]),
  }),
})

async function listPrograms(): Promise<Program[]> {
  const columns = 'pid=,ppid=,stat=,etimes=,wchan:24=,args='
  const ps = promisify(execFile)('ps', ['-eo', columns], { timeout: 10_000 })
  const { stdout } = await ps.catch((error) => ({ stdout: `0 0 no list: ${String(error)}` }))
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [pid, parent] = line.trim().split(/\s+/).map(Number)
      return { pid: pid ?? 0, parent: parent ?? 0, line: line.slice(0, MAX_LINE) }
    })
}

function programsUnder(pid: number, all: readonly Program[]): Program[] {
  return all
    .filter(({ parent }) => parent === pid)
    .flatMap((program) => [program, ...programsUnder(program.pid, all)])
}

/** What each waits for in the kernel; Linux. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => {
      const read = (what: string) =>
        readFileSync(`/proc/${pid}/task/${thread}/${what}`, 'utf8').trim()
      return `thread ${thread} ${read('comm')}: ${read('wchan')}`
    })
  } catch {
    return []
  }
}
