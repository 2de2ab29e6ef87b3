// One run of a job within its limit. Never rejects, and ends even if the job does not.
import { joinSignals } from '../join-signals.ts'
import type { Job, JobContext } from './job.ts'

/** For a job to end by itself, once it is told to. */
const GRACE_MS = 150

export type JobOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** It reached its limit. */
  | { readonly kind: 'late' }
  /** The signal of the context came first: it has neither succeeded nor failed. */
  | { readonly kind: 'stopped' }

export async function runJob(job: Job, context: JobContext): Promise<JobOutcome> {
  const { clock, signal: stop } = context
  const over = new AbortController()
  const ended = new AbortController()
  const told = joinSignals([stop, over.signal])
  const waited = joinSignals([stop, ended.signal])
  const running = attempt(job, { ...context, signal: told.signal }).then((outcome) => {
    ended.abort()
    return outcome
  })
  try {
    await clock.sleep(job.limitMs, waited.signal)
    if (ended.signal.aborted) return await running
    over.abort()
    await clock.sleep(GRACE_MS, ended.signal)
    return { kind: stop.aborted ? 'stopped' : 'late' }
  } finally {
    told.leave()
    waited.leave()
  }
}

async function attempt(job: Job, context: JobContext): Promise<JobOutcome> {
  try {
    await job.run(context)
    return { kind: 'done' }
  } catch (error) {
    return { kind: 'failed', error }
  }
}
