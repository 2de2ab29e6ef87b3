// listArchives.

import { foldName } from '../../../../infra/database/fold-name.ts'
import { readArchives } from '../../../../infra/metastore/archive/archives.ts'
import { listArchives as published } from '../../../../schemas/sdk/archive/list-archives.ts'
import { describeArchives } from '../../server/keep/archives.ts'
import { serveCommand } from '../../server/serve-command.ts'

const USUAL_TOP = 100

export const listArchives = serveCommand(published, async ({ policy, top = USUAL_TOP }, tools) => {
  const { database } = tools
  const all = await readArchives(database.read)
  const wanted = all.filter(
    (one) => policy === undefined || foldName(one.policy) === foldName(policy),
  )
  const archives = await describeArchives(database.read, wanted.slice(0, top), tools)
  return () => Promise.resolve({ archives })
})
