// What goes wrong around the processes: the clock, the disk, the database.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SqliteConnection } from '../../../infra/database/sqlite-connection.ts'
import type { Fault, Random, Strike } from '../campaign/target.ts'
import type { Place } from './place.ts'
import type { RunningProduct } from './running-product.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const FARTHEST_MS = 4 * DAY_MS
/** A repeat counts as one for 24 h of receipt (decision 2.7): an open request may not be carried
 *  beyond that. */
const LARGEST_OPEN_JUMP_MS = 20 * HOUR_MS
const MIN_LOCK_MS = 1000
const MAX_LOCK_MS = 5000
const LOCK_ATTEMPTS = 200
const MIN_FULL_MS = 500

export type ClockFile = { readonly path: string; set(offsetMs: number): void }

export function openClockFile(path: string): ClockFile {
  const set = (offsetMs: number) => {
    // In one step: who reads meanwhile reads the old or the new.
    writeFileSync(`${path}.new`, String(offsetMs))
    renameSync(`${path}.new`, path)
  }
  set(0)
  return { path, set }
}

export function makeClockFault(clock: ClockFile): Fault {
  let offsetMs = 0
  let sinceQuietMs = 0
  const jump = async (nextMs: number, { quietly }: Strike) => {
    const work = () => {
      clock.set(nextMs)
      return Promise.resolve()
    }
    const lowestMs = Math.min(sinceQuietMs, nextMs)
    const isWide = nextMs - lowestMs > LARGEST_OPEN_JUMP_MS
    await (isWide ? quietly(work) : work())
    sinceQuietMs = isWide ? nextMs : lowestMs
    offsetMs = nextMs
  }
  return {
    ...{ name: 'clock jumps', weight: 3, endsCounts: false, canBeLong: false },
    // It stays where it is: the next one jumps from there.
    strike: async (strike) => {
      const nextMs = offsetMs + drawJump(strike.random)
      await jump(Math.max(-FARTHEST_MS, Math.min(FARTHEST_MS, nextMs)), strike)
      await sleep(strike.durationMs / 4)
    },
  }
}

function drawJump(random: Random): number {
  const sizes = [10_000, 10 * MINUTE_MS, 20 * HOUR_MS, 3 * DAY_MS]
  const size = random(sizes[random(sizes.length)] ?? MINUTE_MS) + 1
  return random(2) === 0 ? size : -size
}

export function makeDatabaseFault(dataDir: string): Fault {
  return {
    ...{ name: 'slow database', weight: 2, endsCounts: false, canBeLong: false },
    strike: async ({ random }) => {
      const connection = new SqliteConnection(join(dataDir, 'logeye.db'), {
        isCommitInThread: false,
      })
      try {
        await takeLock(connection)
        await sleep(MIN_LOCK_MS + random(MAX_LOCK_MS - MIN_LOCK_MS))
        await connection.exec('rollback')
      } finally {
        connection.close()
      }
    },
  }
}

async function takeLock(connection: SqliteConnection): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connection.exec('begin immediate')
    } catch (error) {
      if (attempt === LOCK_ATTEMPTS) throw error
      await sleep(10)
    }
  }
}

export function makeDiskFaults(place: Place, product: RunningProduct): Fault[] {
  const full: Fault = {
    ...{ name: place.canLosePower ? 'disk full' : 'disk reserve reached', weight: 2 },
    ...{ endsCounts: false, canBeLong: true },
    strike: async ({ durationMs }) => {
      place.fill()
      await sleep(MIN_FULL_MS + durationMs)
      place.free()
    },
  }
  const power: Fault = {
    ...{ name: 'power cut', weight: 1, endsCounts: true, canBeLong: false },
    strike: async () => {
      for (const pid of [product.supervisorPid(), ...product.processes().map((it) => it.pid)])
        process.kill(pid, 'SIGSTOP')
      place.copy()
      await product.killAll()
      place.swap()
      await product.startAgain()
    },
  }
  return place.canLosePower ? [full, power] : [full]
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
