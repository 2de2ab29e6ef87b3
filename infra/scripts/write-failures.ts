// Writes docs/failures.md: npx tsx infra/scripts/write-failures.ts
import { writeFileSync } from 'node:fs'
import { printFailures } from './print-failures.ts'

writeFileSync(new URL('../../docs/failures.md', import.meta.url), printFailures())
