// Headers of answers, as the OpenAPI document tells them.
import { z } from 'zod'

export const RETRY_AFTER = {
  'Retry-After': z.unknown().meta({ description: 'Seconds.', type: 'integer' }),
}

export const CHALLENGE = { 'WWW-Authenticate': z.string().meta({ description: 'HTTP Basic.' }) }
