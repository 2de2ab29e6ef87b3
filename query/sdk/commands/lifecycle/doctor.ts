// doctor: what the process that answers finds.
import { doctor as published } from '../../../../schemas/sdk/lifecycle/doctor.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const doctor = serveCommand(published, async (_, { examine }) => {
  const findings = [...(await examine())]
  const healthy = findings.every(({ grade }) => grade !== 'bad')
  return () => Promise.resolve({ healthy, findings })
})
