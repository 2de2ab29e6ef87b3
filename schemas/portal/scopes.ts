// What an API key may do (decision 9.12).
import { z } from 'zod'

export const SCOPES = [
  'license:read',
  'usage:read',
  'catalog:read',
  'quote:write',
  'offers:read',
  'offers:write',
  'deployments:read',
] as const
export const scope = z.enum(SCOPES).meta({ id: 'Scope' })
export type Scope = z.infer<typeof scope>
