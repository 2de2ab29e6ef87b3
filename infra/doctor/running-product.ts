// What a running product says of itself, as an operator would read it: readiness and metrics.
import { z } from 'zod'
import type { Config } from '../config-schema.ts'
import { summarize } from '../health.ts'
import { mergeMetricTexts } from '../metrics.ts'
import type { Report } from '../supervisor/messages.ts'

const LIMIT_MS = 5000

export type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: number }

export type RunningProduct = {
  /** By process: its parts, and whether each is ready. */
  readonly processes: Readonly<Record<string, Readonly<Record<string, boolean>>>>
  /** Parts that are not ready, as `process: part`. */
  readonly notReady: readonly string[]
  /** Of a metric, of all processes; empty for one that is not there. */
  samples(name: string): readonly Sample[]
}

const readinessSchema = z.object({
  processes: z.record(z.string(), z.record(z.string(), z.boolean())),
})

/** Of the front of this machine. */
export function addressOfProduct({ http }: Pick<Config, 'http'>): string {
  const host = http.address === '' ? '127.0.0.1' : http.address
  return `http://${host.includes(':') ? `[${host}]` : host}:${http.plainPort}`
}

/** Asks the front of this machine; undefined when it does not answer. */
export async function askRunningProduct(
  config: Pick<Config, 'http'>,
): Promise<RunningProduct | undefined> {
  const base = addressOfProduct(config)
  try {
    const signal = AbortSignal.timeout(LIMIT_MS)
    const [ready, metrics] = await Promise.all([
      fetch(`${base}/logeye/health/ready`, { signal }),
      fetch(`${base}/metrics`, { signal }),
    ])
    const { processes } = readinessSchema.parse(await ready.json())
    return makeProduct(processes, metrics.ok ? await metrics.text() : '')
  } catch {
    return undefined
  }
}

/** For a process of the product itself. */
export function readRunningProduct(reports: readonly Report[]): RunningProduct {
  const { processes } = summarize(reports)
  return makeProduct(processes, mergeMetricTexts(reports.map(({ metrics }) => metrics)))
}

function makeProduct(
  processes: Readonly<Record<string, Readonly<Record<string, boolean>>>>,
  metrics: string,
): RunningProduct {
  const notReady = Object.entries(processes).flatMap(([process, parts]) =>
    Object.entries(parts).flatMap(([part, isReady]) => (isReady ? [] : [`${process}: ${part}`])),
  )
  const all = parseSamples(metrics)
  return { processes, notReady, samples: (name) => all.get(name) ?? [] }
}

/** Of Prometheus' text format, as far as ours uses it. */
export function parseSamples(text: string): ReadonlyMap<string, readonly Sample[]> {
  const all = new Map<string, Sample[]>()
  for (const [, name = '', labels = '', value] of text.matchAll(
    /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/gm,
  )) {
    const pairs = [...labels.matchAll(/(?<!\w)(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
      ([, key = '', escaped = '']) => [key, escaped.replace(/\\(.)/g, '$1')] as const,
    )
    const samples = all.get(name) ?? []
    samples.push({ labels: Object.fromEntries(pairs), value: Number(value) })
    all.set(name, samples)
  }
  return all
}
