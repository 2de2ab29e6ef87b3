// Limits of time in tests. In a test a limit tells what never ends, or waits for the wrong thing,
// from what does not; it must not fall because a machine does ten other things, and must be shorter
// than the wrong course takes. So a test never shows a promised time and is not named for one: that
// is measured by `npm run bench` and the programs of loadtest/ (docs/guides/measure.md).
const PATIENCE = 10

/** How long to wait for what takes `promisedMs` at most on a machine that does nothing else. */
export function patient(promisedMs: number): number {
  return promisedMs * PATIENCE
}

/** For `expect.poll`: what is to be so within a second. */
export const SOON = { interval: 20, timeout: patient(1000) }
