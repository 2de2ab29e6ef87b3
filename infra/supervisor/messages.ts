// What the supervisor and its children say to each other over IPC, and what a child is told in its
// environment.
import { z } from 'zod'

/** Environment name of `supervisionSchema` as JSON. */
export const SUPERVISION_NAME = 'LOGEYE_SUPERVISED'

/** Told to each child at its start. A secret stands in it: the environment of a process is readable
 *  by its own user only. */
export const supervisionSchema = z.strictObject({
  supervisorPid: z.int(),
  /** Name of the child, when there are several of its kind. */
  name: z.string().optional(),
  /** Where the store process of this start listens; absent when the store is elsewhere. */
  store: z.strictObject({ address: z.string(), port: z.int(), password: z.string() }).optional(),
  /** Ports that the process configuration says, whatever the database does. */
  fixedPorts: z.strictObject({ plain: z.boolean(), tls: z.boolean() }).optional(),
  /** There is no front beside it: health and metrics are its own to answer. */
  hasHealthDoor: z.boolean().optional(),
})
export type Supervision = z.infer<typeof supervisionSchema>

/** Readiness of the parts a process has, by name; and its metrics as text, '' when they were not
 *  asked for. */
const reportSchema = z.strictObject({
  process: z.string(),
  ready: z.record(z.string(), z.boolean()),
  metrics: z.string(),
})
export type Report = z.infer<typeof reportSchema>

/** To a child. */
export const orderSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('stop'), limitMs: z.number() }),
  z.strictObject({ kind: z.literal('report'), id: z.int(), withMetrics: z.boolean() }),
  z.strictObject({ kind: z.literal('reports'), id: z.int(), reports: z.array(reportSchema) }),
])
export type Order = z.infer<typeof orderSchema>

/** From a child. `open`: everything it has is open; it serves. `failing`: it ends now, and why; by
 *  itself that may pass. `restart`: an operator asks for all processes anew. */
export const wordSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('open') }),
  z.strictObject({ kind: z.literal('failing'), reason: z.string(), isPassing: z.boolean() }),
  z.strictObject({ kind: z.literal('report'), id: z.int(), report: reportSchema }),
  z.strictObject({ kind: z.literal('restart') }),
  z.strictObject({ kind: z.literal('ask'), id: z.int(), withMetrics: z.boolean() }),
])
export type Word = z.infer<typeof wordSchema>

/** Exit status of a child that will not run however often it is tried; the supervisor says why and
 *  gives up when it happens before the product was ready. */
export const EXIT_REFUSED = 78
