// A process of the portal of its own, until it is killed: says `ready` when its work goes on.
//   bare-portal-process.ts <folder> <url of PostgreSQL, or nothing>

import { openObjects } from '../../../infra/objects/open.ts'
import { makePortalApp } from '../../../portal/app.ts'
import { openPortalDatabase } from '../../../portal/database/open.ts'
import { silentLogger } from '../database/query-database.ts'
import { testClock } from '../run/test-clock.ts'

const [folder = '', url = ''] = process.argv.slice(2)
const clock = testClock
const database = await openPortalDatabase({ folder, clock, url: url === '' ? undefined : url })
const objects = await openObjects({ url: undefined, folder: `${folder}/objects`, clock })
await makePortalApp({
  objects,
  ...{ database, clock, folder, logger: silentLogger },
  ...{ publicUrl: 'http://portal.test', version: '1', webhooks: { targets: 'any' } },
})
process.stdout.write('ready\n')
