// Power cuts under load: everything that was not flushed to the disk is thrown away. The data directory lies on an ext4 image;
// a cut is a copy of the image while every process stands still (dirty pages of the file system are not in it), then kill -9,
// then a start on the copy, whose journal is replayed. Needs root, mkfs.ext4 and loop devices. Exits 1 when wrong, 77 when it cannot run.
// Options: --rounds N (default 20), --seed S. First it proves that it can see a loss: a control program that does not flush must lose.
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CANNOT_RUN } from '../support/cannot-run.ts'
import { mulberry32 } from '../support/events.ts'
import { findFreePort, type Product, startProduct } from '../support/product.ts'
import { makeSearchClient } from '../support/search-client.ts'
import { startFaithfulSenders } from './faithful-sender.ts'
import { isRight, judge } from './verdict.ts'

const IMAGE_BYTES = 4 * 2 ** 30
const UNMOUNT_ATTEMPTS = 50

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
  },
})
const seed = Number(values.seed)
const random = mulberry32(seed)
const directory = mkdtempSync(join(tmpdir(), 'logeye-power-'))
const image = join(directory, 'disk.img')
const mountPoint = join(directory, 'disk')
mkdirSync(mountPoint)
try {
  execFileSync('truncate', ['-s', String(IMAGE_BYTES), image])
  execFileSync('mkfs.ext4', ['-q', '-F', image])
  mount()
} catch {
  console.log('power cuts were not tried: they need root, mkfs.ext4 and loop devices')
  rmSync(directory, { recursive: true, force: true })
  process.exit(CANNOT_RUN)
}

let isWrong = false
let product: Product | undefined
try {
  proveThatLossesAreSeen()
  const dataDir = join(mountPoint, 'data')
  const port = await findFreePort()
  product = await startProduct({ dataDir, port })
  const { secrets } = product
  const url = product.url
  const senders = startFaithfulSenders({
    url: () => url,
    token: secrets.token,
    senders: 6,
    seed,
    campaign: `power-${seed}`,
  })
  for (let round = 0; round < Number(values.rounds); round += 1) {
    await sleep(300 + random(2500))
    const acknowledged = senders.acknowledged()
    await cutPower(product)
    product = await startProduct({ dataDir, port, secrets })
    console.log(
      `cut ${round + 1}: ${acknowledged} acknowledged before, up again after ${product.startMs.toFixed(0)} ms`,
    )
  }
  await senders.finish(60_000)
  const verdict = await judge(makeSearchClient(url, secrets.password), senders.acknowledged())
  console.log(
    `acknowledged ${verdict.acknowledged}, stored ${verdict.stored}, lost ${verdict.lost}, doubled ${verdict.doubled}, counters off by ${verdict.counterError}, seed ${seed}`,
  )
  isWrong = !isRight(verdict)
  await product.stop()
} catch (error) {
  console.error(error)
  console.error(product?.output().slice(-4000))
  isWrong = true
} finally {
  await product?.killAll()
  unmount()
  if (!isWrong) rmSync(directory, { recursive: true, force: true })
  else console.log(`kept: ${directory}`)
}
process.exit(isWrong ? 1 : 0)

/** A program that answers before the flush loses what it answered; one that flushes does not. If the cut shows no such loss it is blind. */
function proveThatLossesAreSeen(): void {
  const lazy = join(mountPoint, 'lazy')
  const faithful = join(mountPoint, 'faithful')
  execFileSync('sync')
  for (let line = 0; line < 100; line += 1) appendFileSync(lazy, `${line}\n`)
  appendFileSync(faithful, 'kept\n', { flush: true })
  copyAndSwap()
  const kept = readFileSync(faithful, 'utf8')
  const lines = existingText(lazy).split('\n').length - 1
  if (kept !== 'kept\n') throw new Error('a flushed file was lost: the cut is not a power cut')
  if (lines === 100) throw new Error('an unflushed file survived: the cut is blind')
  console.log(`the cut is seen: ${100 - lines} of 100 unflushed lines lost, the flushed file whole`)
}

async function cutPower(running: Product): Promise<void> {
  const pids = [running.supervisorPid, ...running.processes().map((process) => process.pid)]
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  copyImage()
  await running.killAll()
  swap()
}

function copyAndSwap(): void {
  copyImage()
  swap()
}

function copyImage(): void {
  execFileSync('cp', ['--sparse=always', image, `${image}.cut`])
}

function swap(): void {
  unmount()
  renameSync(`${image}.cut`, image)
  mount()
}

function mount(): void {
  // A long commit interval: the journal is written by flushes, not by time.
  execFileSync('mount', ['-o', 'loop,commit=600', image, mountPoint], { stdio: 'pipe' })
}

/** Threads of a killed process may hold its files for a moment after it is gone. */
function unmount(): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      execFileSync('umount', [mountPoint], { stdio: 'pipe' })
      return
    } catch (error) {
      if (attempt === UNMOUNT_ATTEMPTS) throw error
      execFileSync('sleep', ['0.2'])
    }
  }
}

function existingText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
