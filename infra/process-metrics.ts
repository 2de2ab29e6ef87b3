// Metrics that every process of the product has: what it is, which roles it runs, and the disk that
// its data lies on.
import { readDiskSpace } from './disk-space.ts'
import type { Metrics } from './metrics.ts'
import type { ProcessKind, Role } from './supervisor/processes.ts'

type RunningProcess = {
  readonly version: string
  readonly dataDir: string
  readonly kind: ProcessKind
  readonly roles: readonly Role[]
}

export function addProcessMetrics(metrics: Metrics, running: RunningProcess): void {
  addBuildInfo(metrics, running.version)
  addProcessInfo(metrics, running)
  addDiskMetrics(metrics, running.dataDir)
}

function addProcessInfo(metrics: Metrics, { kind, roles }: RunningProcess): void {
  const help = '1; its labels say which kind of process runs, and its roles'
  const info = metrics.gauge('logeye_process_info', help, ['kind', 'roles'])
  info.set(1, { kind, roles: roles.join(',') })
}

function addBuildInfo(metrics: Metrics, version: string): void {
  const { version: node, platform, arch } = process
  const names = ['version', 'node', 'platform']
  const info = metrics.gauge('logeye_build_info', '1; its labels say what runs', names)
  info.set(1, { version, node: node.slice(1), platform: `${platform}-${arch}` })
}

function addDiskMetrics(metrics: Metrics, dataDir: string): void {
  const free = metrics.gauge('logeye_disk_free_bytes', 'Free on the disk of the data directory')
  const total = metrics.gauge('logeye_disk_bytes', 'Size of the disk of the data directory')
  metrics.onRead(async () => {
    try {
      const { freeBytes, totalBytes } = await readDiskSpace(dataDir)
      free.set(freeBytes)
      total.set(totalBytes)
    } catch {
      // The directory is gone: health says it.
    }
  })
}
