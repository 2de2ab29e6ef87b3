// `npm run openapi`: writes the OpenAPI documents of the product and of the portal to dist/, and
// their summaries to docs/reference/. Both apps are made on empty databases in a temporary folder
// and called without a socket; no engine and no process is started. The next build that compiles
// something removes the documents from dist/, since they may be out of date.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { systemClock } from '../../../infra/clock.ts'
import { openObjects } from '../../../infra/objects/open.ts'
import { makePortalApp } from '../../../portal/app.ts'
import { openPortalDatabase } from '../../../portal/database/open.ts'
import { openTestApp } from '../apps/query-app.ts'
import { openQueryDatabase, silentLogger } from '../database/query-database.ts'
import { makeFailingStore } from '../store/failing-store.ts'
import { printSummary } from './summary.ts'

const ROOT = join(import.meta.dirname, '../../..')
const DIST = join(ROOT, 'dist')
const PORTAL_URL = 'http://localhost:30300'
const CALLER = { address: '127.0.0.1' }

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))

async function readQueryDocument(): Promise<unknown> {
  const db = await openQueryDatabase()
  const store = makeFailingStore(() => [])
  const { app, call } = openTestApp(db, store, { version })
  const document: unknown = await (await call('/logeye/api/openapi.json')).json()
  await app.stop()
  await db.close()
  return document
}

async function readPortalDocument(): Promise<unknown> {
  const clock = systemClock
  const folder = mkdtempSync(join(tmpdir(), 'logeye-openapi-'))
  const database = await openPortalDatabase({ folder, clock })
  const objects = await openObjects({ url: undefined, folder: join(folder, 'objects'), clock })
  const app = await makePortalApp({
    ...{ database, clock, folder, objects, version },
    ...{ logger: silentLogger, publicUrl: PORTAL_URL },
  })
  const request = new Request(`${PORTAL_URL}/api/portal/openapi.json`)
  const document: unknown = await (await app.fetch(request, CALLER)).json()
  await app.close()
  await database.close()
  rmSync(folder, { recursive: true })
  return document
}

mkdirSync(DIST, { recursive: true })
for (const [name, document] of [
  ['openapi', await readQueryDocument()],
  ['portal-openapi', await readPortalDocument()],
] as const) {
  writeFileSync(join(DIST, `${name}.json`), `${JSON.stringify(document, null, 2)}\n`)
  writeFileSync(join(ROOT, `docs/reference/${name}.txt`), printSummary(document))
  process.stdout.write(`dist/${name}.json, docs/reference/${name}.txt\n`)
}
