// Every protocol that events come in by over HTTP.
import { cloudEventsInput } from './cloudevents/route.ts'
import type { Input } from './input.ts'
import { loggerInput } from './logger/route.ts'

export const INPUTS: readonly Input[] = [loggerInput, cloudEventsInput]
