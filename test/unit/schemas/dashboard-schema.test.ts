// The published JSON schema of apps and dashboards is that of the code:
// LOGEYE_WRITE_MANUAL=1 npx vitest run --project unit test/unit/schemas/dashboard-schema.test.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { appFile } from '../../../schemas/dashboards/app.ts'

const FILE = 'docs/reference/dashboard-schema.json'

it('is what docs/reference/dashboard-schema.json says', () => {
  const schema = z.toJSONSchema(appFile, { io: 'input', unrepresentable: 'any' })
  const text = `${JSON.stringify(schema, null, 2)}\n`
  if (process.env.LOGEYE_WRITE_MANUAL === '1') writeFileSync(FILE, text)
  expect(readFileSync(FILE, 'utf8')).toBe(text)
})
