// Metrics that every process of the product has: what it is, and the disk that its data lies on.
import { readDiskSpace } from './disk-space.ts'
import type { Metrics } from './metrics.ts'

export function addProcessMetrics(metrics: Metrics, version: string, dataDir: string): void {
  addBuildInfo(metrics, version)
  addDiskMetrics(metrics, dataDir)
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
