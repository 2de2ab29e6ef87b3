// adoptArchive: the scheduler reads its manifest.
import { adoptArchive as adopt } from '../../../../infra/metastore/archive/archives.ts'
import { requireArchivePlace } from '../../../../infra/metastore/archive/require-place.ts'
import { adoptArchive as published } from '../../../../schemas/sdk/archive/adopt-archive.ts'
import { describeArchive } from '../../server/keep/archives.ts'
import { serveAct } from '../../server/serve-command.ts'

const DAY_MS = 86_400_000

export const adoptArchive = serveAct(
  published,
  ({ directory = '', account = '', entry: path }, tools) =>
    async (transaction) => {
      const { clock, caller, paths } = tools
      const [date = '', entry = ''] = path.split('/')
      const day = Date.parse(`${date}T00:00:00Z`) / DAY_MS
      await requireArchivePlace(transaction, { account, directory })
      if (account === '' && directory !== '') paths.requireCopyable('directory', directory)
      const asked = { askedBy: caller.user.name, askedMs: clock.nowMs() }
      const given = { account, directory, entry, day, policyId: 0, policy: '', ...asked }
      return await describeArchive(transaction, await adopt(transaction, given), tools)
    },
  // Into which logs its events go, its manifest says later.
  () => [{ kind: 'administrator' }],
  { arguments: { archiveDirectory: 'directory', archiveAccount: 'account' } },
)
