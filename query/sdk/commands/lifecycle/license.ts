// license: shows the one that is installed, or installs one that is good now.
import {
  installLicense,
  readInstalledLicense,
} from '../../../../infra/metastore/license/installed-license.ts'
import { type LicenseLook, lookAtLicense } from '../../../../infra/signed-documents/license.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { license as published } from '../../../../schemas/sdk/lifecycle/license.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const license = serveCommand(published, (input, { clock, lifecycle }) => {
  const { trusted, serverKey } = lifecycle.license
  const nowMs = clock.nowMs()
  const around = { trusted, serverKey, nowMs }
  const given = input.files ?? input.text
  if (given === undefined)
    return async (transaction) =>
      describe(lookAtLicense(await readInstalledLicense(transaction), around))
  const look = lookAtLicense(given, around)
  if (look.state !== 'active' && look.state !== 'ending') {
    const reason = (look.warning ?? '').replace(/^the licence does not count: /, '')
    throw new Failure('license.refused', { reason })
  }
  return async (transaction) => {
    await installLicense(transaction, given, nowMs)
    return describe(look)
  }

  function describe({ state, license: read, warning = '' }: LicenseLook) {
    return {
      serverKey,
      state,
      warning,
      id: read?.id ?? '',
      name: read?.name ?? '',
      volumeBytesPerDay: read?.volumeBytesPerDay ?? 0,
      features: read?.features ?? [],
      begin: read === undefined ? '' : new Date(read.begin).toISOString(),
      end: read === undefined ? '' : new Date(read.end).toISOString(),
      trusted: trusted.isBuiltIn ? ('maker' as const) : ('LOGEYE_LICENSE_PUBLIC_KEY' as const),
    }
  }
})
