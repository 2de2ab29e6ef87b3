/** Of one try to connect: below what the client waits. */
export const VERIFY_MS = 15_000
