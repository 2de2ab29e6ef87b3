// systemState: how much comes in, waits and is searched, and what the processes take.
import type { RunningProduct, Sample } from '../../../../infra/doctor/running-product.ts'
import { systemState as published } from '../../../../schemas/sdk/lifecycle/system-state.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const systemState = serveCommand(published, async (_, { clock, lifecycle, nodeName }) => {
  const product = await lifecycle.readProduct()
  const nowMs = clock.nowMs()
  const state = {
    ...{ node: nodeName, asOf: new Date(nowMs).toISOString() },
    ...readFlow(product),
    processes: Object.entries(product.processes).map(([name, parts]) => ({
      ...{ name, roles: readRoles(product, name) },
      notReady: Object.entries(parts).flatMap(([part, isReady]) => (isReady ? [] : [part])),
      ...readCosts(product, name, nowMs),
    })),
  }
  return () => Promise.resolve(state)
})

function readFlow(product: RunningProduct) {
  const sum = (name: string, labels: Sample['labels'] = {}) =>
    valuesOf(product, name, labels).reduce((total, value) => total + value, 0)
  const most = (name: string) => Math.max(0, ...valuesOf(product, name))
  // Each process measures the same disk.
  const [freeBytes = null] = valuesOf(product, 'logeye_disk_free_bytes')
  const [bytes = null] = valuesOf(product, 'logeye_disk_bytes')
  const events = 'logeye_listener_events_total'
  return {
    events: {
      received: sum(events, { state: 'received' }),
      rejected: sum(events, { state: 'rejected' }),
      stored: sum('logeye_writer_events_total', { outcome: 'stored' }),
    },
    receivedBytes: sum('logeye_listener_bytes_total'),
    waiting: {
      bytes: sum('logeye_writer_lag_bytes'),
      seconds: most('logeye_writer_oldest_unstored_seconds'),
    },
    searches: {
      running: sum('logeye_searches_running'),
      queued: sum('logeye_searches_queued'),
      ended: sum('logeye_searches_total'),
    },
    tails: sum('logeye_tails_open'),
    disk: { freeBytes, bytes },
  }
}

function readRoles(product: RunningProduct, process: string): string[] {
  const info = product.samples('logeye_process_info').find((it) => it.labels.process === process)
  return (info?.labels.roles ?? '').split(',').filter((role) => role !== '')
}

function readCosts(product: RunningProduct, process: string, nowMs: number) {
  const one = (name: string): number | null => valuesOf(product, name, { process })[0] ?? null
  const startedSeconds = one('process_start_time_seconds')
  const cpuSeconds = one('process_cpu_seconds_total')
  const runSeconds = startedSeconds === null ? 0 : nowMs / 1000 - startedSeconds
  return {
    started: startedSeconds === null ? null : new Date(startedSeconds * 1000).toISOString(),
    memoryBytes: one('process_resident_memory_bytes'),
    processors: cpuSeconds === null || runSeconds <= 0 ? null : cpuSeconds / runSeconds,
    openFiles: one('process_open_fds'),
    loopSeconds: one('nodejs_eventloop_lag_p99_seconds'),
  }
}

/** Of the samples that have these labels; what is no number yet is left out. */
function valuesOf(
  product: RunningProduct,
  name: string,
  labels: Sample['labels'] = {},
): readonly number[] {
  return product
    .samples(name)
    .filter((sample) => Object.entries(labels).every(([key, it]) => sample.labels[key] === it))
    .flatMap(({ value }) => (Number.isFinite(value) && value >= 0 ? [value] : []))
}
