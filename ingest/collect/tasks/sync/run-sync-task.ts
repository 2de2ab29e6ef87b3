// One run of a log sync task (docs/decisions/0119): the files of its machines as they are now,
// copied where they changed; copies compared with their checksums; those of files that are too old
// removed.
import { join } from 'node:path/posix'
import {
  findBookAccount,
  openSecrets,
} from '../../../../infra/metastore/address-book/book-accounts.ts'
import {
  forgetSyncedFile,
  readSyncedFiles,
  type SyncedFile,
  saveSyncedFile,
} from '../../../../infra/metastore/tasks/synced-files.ts'
import { NO_COUNTS, type RunCounts } from '../../../../infra/metastore/tasks/task-runs.ts'
import type { Task } from '../../../../infra/metastore/tasks/tasks.ts'
import { RemoteFault } from '../../../../infra/outbound/remote-fault.ts'
import { S3Files } from '../../../../infra/outbound/s3-files.ts'
import { ACCOUNT_SETTINGS } from '../../../../schemas/address-book.ts'
import { isFailure } from '../../../../schemas/failures.ts'
import type { SyncChecksum, SyncNode, SyncPlan } from '../../../../schemas/task.ts'
import { describeFault } from '../../find-files.ts'
import { PackedFault } from '../../packing.ts'
import type { FileSource } from '../../sources/file-source.ts'
import { LOCAL_FILES } from '../../sources/local-files.ts'
import { openSource } from '../../sources/open-source.ts'
import { guarded } from '../../sources/path-guard.ts'
import type { Outcome, TaskDeps } from '../task-deps.ts'
import { openBucket, openFolder, type Repository, RepositoryFault } from './repository.ts'
import { type WalkedFile, walkFiles } from './walk-files.ts'

const DAY_MS = 86_400_000
const REPORT_EVERY_MS = 1000
const MOST_REASONS = 10
/** Where the file names none: no copy is looked at again, each is verified all the same. */
const NO_CHECKSUM: SyncChecksum = {
  ...{ algorithm: 'SHA-1', intervalMs: Number.POSITIVE_INFINITY, retry: 3 },
}

export async function runSyncTask(
  deps: TaskDeps,
  task: Task<'syncLog'>,
  report: (counts: RunCounts) => Promise<void>,
): Promise<Outcome> {
  const { assignedNode, configuration } = task.settings
  if (assignedNode !== null && assignedNode !== deps.hostName)
    return failed(
      `it is assigned to the node ${assignedNode}, and the collector runs at ${deps.hostName}`,
    )
  const read = deps.readSync(configuration)
  if ('fault' in read) return failed(`its file ${read.fault}`)
  try {
    const repository = await openRepository(deps, read.plan)
    const run = new SyncRun(deps, { task, plan: read.plan, repository, report })
    return await run.run()
  } catch (error) {
    if (error instanceof RepositoryFault || error instanceof RemoteFault)
      return failed(error.message)
    throw error
  }
}

type Around = {
  readonly task: Task<'syncLog'>
  readonly plan: SyncPlan
  readonly repository: Repository
  readonly report: (counts: RunCounts) => Promise<void>
}

class SyncRun {
  readonly #deps: TaskDeps
  readonly #around: Around
  readonly #faults: string[] = []
  readonly #counts = { ...NO_COUNTS }
  #known = new Map<string, SyncedFile>()
  #reportedMs = 0

  constructor(deps: TaskDeps, around: Around) {
    this.#deps = deps
    this.#around = around
  }

  async run(): Promise<Outcome> {
    const { task, plan } = this.#around
    this.#known = await readSyncedFiles(this.#deps.metastore.database.read, task.id)
    for (const node of plan.nodes) {
      if (this.#deps.held.signal.aborted) break
      await this.#copyNode(node)
    }
    await this.#removeOld()
    await this.#around.report(this.#counts)
    const reason = this.#faults.slice(0, MOST_REASONS).join('; ')
    return { state: reason === '' ? 'done' : 'failed', reason }
  }

  async #copyNode(node: SyncNode): Promise<void> {
    const opened = node.account === '' ? undefined : await openSource(node.account, this.#deps)
    const all = opened?.source ?? LOCAL_FILES
    try {
      for (const rule of node.directories) {
        const source = guarded(all, this.#deps.paths, () => [rule.directory])
        const files = await walkFiles(source, rule, (text) => this.#note(text))
        this.#counts.files += files.length
        for (const file of files) {
          if (this.#deps.held.signal.aborted) return
          if (this.#isOld(file.changedMs)) continue
          try {
            await this.#copy(source, node, file)
          } catch (error) {
            if (error instanceof RemoteFault || !isOfFile(error)) throw error
            this.#note(describeFault(file.path, error))
          }
          await this.#tell()
        }
      }
    } catch (error) {
      // The other machines are copied all the same.
      if (!(error instanceof RemoteFault)) throw error
      this.#note(`${node.directory}: ${error.message}`)
    } finally {
      await opened?.source.close()
    }
  }

  async #copy(source: FileSource, node: SyncNode, file: WalkedFile): Promise<void> {
    const { repository } = this.#around
    const checksum = node.checksum ?? NO_CHECKSUM
    const place = join(node.directory, file.path.replace(/^\/+/, ''))
    const known = this.#known.get(place)
    const nowMs = this.#deps.clock.nowMs()
    const isSame = known?.size === file.size && known.changedMs === file.changedMs
    const isChecked = known !== undefined && nowMs - known.checkedMs < checksum.intervalMs
    if (isSame && isChecked && known.algorithm === checksum.algorithm) return
    if (isSame && known.algorithm === checksum.algorithm) {
      const now = await repository.checksum(place, checksum.algorithm)
      if (now === known.checksum) return await this.#save({ ...known, checkedMs: nowMs })
      this.#counts.damaged += 1
    }
    for (let attempt = 0; ; attempt += 1) {
      const opened = await source.open(file.path)
      try {
        const copied = await repository.put(place, opened, checksum.algorithm)
        this.#counts.bytes += copied.size
        const { algorithm } = checksum
        if ((await repository.checksum(place, algorithm)) === copied.checksum) {
          this.#counts.copied += 1
          const { changedMs } = file
          // What came while it was copied is another size: it is copied by the next run.
          const { size } = copied
          return await this.#save({
            ...{ place, size, changedMs, algorithm, checksum: copied.checksum },
            checkedMs: nowMs,
          })
        }
      } finally {
        await opened.close().catch(() => undefined)
      }
      if (attempt < checksum.retry) continue
      return this.#note(`${place}: the copy is not what was written, ${attempt + 1} times`)
    }
  }

  async #removeOld(): Promise<void> {
    const { task, repository } = this.#around
    const { database } = this.#deps.metastore
    for (const [place, file] of this.#known) {
      if (!this.#isOld(file.changedMs)) continue
      await repository.remove(place)
      await forgetSyncedFile({ database, held: this.#deps.held }, task.id, place)
      this.#counts.removed += 1
    }
  }

  async #save(file: SyncedFile): Promise<void> {
    const { database } = this.#deps.metastore
    await saveSyncedFile({ database, held: this.#deps.held }, this.#around.task.id, file)
    this.#known.set(file.place, file)
  }

  #isOld(changedMs: number): boolean {
    const { timeToKeep } = this.#around.plan
    return timeToKeep !== null && this.#deps.clock.nowMs() - changedMs > timeToKeep * DAY_MS
  }

  #note(text: string): void {
    if (this.#faults.length < MOST_REASONS) this.#faults.push(text)
  }

  async #tell(): Promise<void> {
    const nowMs = this.#deps.clock.elapsedMs()
    if (nowMs - this.#reportedMs < REPORT_EVERY_MS) return
    this.#reportedMs = nowMs
    await this.#around.report({ ...this.#counts })
  }
}

/** Fails with RepositoryFault. */
async function openRepository(deps: TaskDeps, { repository }: SyncPlan): Promise<Repository> {
  if ('folder' in repository) return await openFolder(repository.folder, deps.paths)
  const account = await findBookAccount(deps.metastore.database.read, repository.account)
  if (account?.kind !== 's3' || !account.isEnabled)
    throw new RepositoryFault(`${repository.account} is no S3 account that is enabled`)
  try {
    const { secretKey = '' } = openSecrets(account, deps.secretKeys)
    const target = { ...ACCOUNT_SETTINGS.s3.parse(account.settings), secretKey }
    return openBucket(new S3Files(target, deps.clock), repository.prefix)
  } catch (error) {
    if (!isFailure(error)) throw error
    throw new RepositoryFault(`${account.name}: ${error.message}`)
  }
}

/** One file is to blame, or its place. */
function isOfFile(error: unknown): boolean {
  if (error instanceof PackedFault) return true
  return error instanceof Error && 'code' in error && !isFailure(error)
}

function failed(reason: string): Outcome {
  return { state: 'failed', reason }
}
