// A copy of a checkout to write faults into: its commit, its packages by hard links, and a folder
// for temporary files of its own, which ends with it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { applyFault, type Fault, type Texts } from './fault-list.ts'

/** By hard links, where both are on one disk. */
const COPY = 'mkdir "$1" && { cp -al "$0/." "$1" || cp -a "$0/." "$1"; }'
const CLOSE_MS = 5000
const MAX_LOG_CHARS = 50_000_000
const PRODUCT = /^(?:ingest|query|portal|infra|schemas|roles)\/.*(?<!\.d)\.ts$/
/** Scripts, files that scripts have written, and names of counters. */
const NO_PRODUCT =
  /^infra\/(?:scripts|deploy)\/|^schemas\/(?:charts\/land|names\/confusables)\.ts$|\/telemetry\.ts$/

/** `code` is null for a command that did not end within its limit. */
export type Ended = { readonly code: number | null; readonly output: string }

export class Scratch {
  readonly commit: string
  readonly #home = mkdtempSync(join(tmpdir(), 'f-'))
  readonly folder = join(this.#home, 'tree')
  #running: ChildProcess | undefined
  readonly #onSignal = () => {
    this.close()
    process.exit(130)
  }

  /** Of what is committed in `tree`, with the packages that are installed there. */
  constructor(tree: string) {
    const git = (...words: string[]) => runGit(tree, words)
    this.commit = git('rev-parse', 'HEAD')
    const origin = git('rev-parse', '--path-format=absolute', '--git-common-dir')
    git('clone', '--quiet', '--shared', '--no-checkout', origin, this.folder)
    this.#git('checkout', '--quiet', '--detach', this.commit)
    const packages = join(this.folder, 'node_modules')
    execFileSync('sh', ['-c', COPY, join(tree, 'node_modules'), packages], { stdio: 'ignore' })
    // Written in place: the links would share it.
    for (const cache of ['.vite', '.vite-temp', '.cache'])
      rmSync(join(packages, cache), { recursive: true, force: true })
    mkdirSync(join(this.#home, 't'))
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, this.#onSignal)
  }

  /** Files of the product. */
  readTexts(): Texts {
    const all = [...this.readAll()]
    return new Map(all.filter(([name]) => PRODUCT.test(name) && !NO_PRODUCT.test(name)))
  }

  /** All files of TypeScript. */
  readAll(): Texts {
    const names = this.#git('ls-files', '*.ts').split('\n')
    return new Map(names.map((name) => [name, readFileSync(join(this.folder, name), 'utf8')]))
  }

  /** Writes these faults and no others; returns their files, one for each. */
  write(faults: readonly Fault[], texts: Texts): string[] {
    this.restore()
    return faults.map((fault) => {
      const faulty = applyFault(fault, texts)
      if (faulty === undefined) throw new Error(`fault ${fault.number} does not apply`)
      writeFileSync(join(this.folder, faulty.file), faulty.text)
      return faulty.file
    })
  }

  /** Removes these files of tests until `restore`. */
  leaveOut(files: readonly string[]): void {
    for (const file of files) rmSync(join(this.folder, file), { force: true })
  }

  restore(): void {
    this.#git('checkout', '--quiet', '--', '.')
  }

  /** Runs a command line in the copy, and ends whatever it has left behind. */
  async run(command: string, limitMs: number): Promise<Ended> {
    const env = {
      ...process.env,
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
      TMPDIR: join(this.#home, 't'),
    }
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
    const child = spawn('sh', ['-c', command], { cwd: this.folder, env, stdio, detached: true })
    this.#running = child
    let output = ''
    let isLate = false
    const note = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-MAX_LOG_CHARS)
    }
    child.stdout.on('data', note)
    child.stderr.on('data', note)
    const timer = setTimeout(() => {
      isLate = true
      this.#endPrograms()
    }, limitMs)
    const closed = once(child, 'close')
    const [code] = await once(child, 'exit')
    clearTimeout(timer)
    this.#endPrograms()
    // A program elsewhere may hold its output open.
    await Promise.race([closed, sleep(CLOSE_MS)])
    this.#running = undefined
    return { code: isLate ? null : (code ?? 1), output }
  }

  close(): void {
    process.off('SIGINT', this.#onSignal)
    process.off('SIGTERM', this.#onSignal)
    this.#endPrograms()
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }

  #git(...words: string[]): string {
    return runGit(this.folder, words)
  }

  /** The group of the command, and products in groups of their own: they work in the copy. */
  #endPrograms(): void {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && this.#worksHere(name))
    if (this.#running?.pid !== undefined) pids.push(String(-this.#running.pid))
    for (const pid of pids) {
      try {
        process.kill(Number(pid), 'SIGKILL')
      } catch {
        // It has ended already.
      }
    }
  }

  #worksHere(pid: string): boolean {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(this.#home)
    } catch {
      return false
    }
  }
}

function runGit(folder: string, words: readonly string[]): string {
  return execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8' }).trim()
}
