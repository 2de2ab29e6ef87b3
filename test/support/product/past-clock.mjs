// Preloaded (`node --import`): the time of day of the process is that of TEST_CLOCK_BEHIND_MS ago,
// so that a product has days that are over. infra/clock.ts is the one that asks for it.
const behindMs = Number(process.env.TEST_CLOCK_BEHIND_MS ?? 0)
const realNow = Date.now
Date.now = () => realNow() - behindMs
