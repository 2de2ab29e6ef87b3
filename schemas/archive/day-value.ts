// A day as an argument.
import { z } from 'zod'

const DAY_MS = 86_400_000

/** `2026-03-01`; days from 1970, UTC. */
export const dayValue = z.iso
  .date('must be a day such as 2026-03-01')
  .transform((text) => Date.parse(`${text}T00:00:00Z`) / DAY_MS)
