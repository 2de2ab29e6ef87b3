// restart: the word goes to the supervisor when the audit entry is kept; it waits for the answer to
// be on its way.
import { Failure } from '../../../../schemas/failures.ts'
import { restart as published } from '../../../../schemas/sdk/lifecycle/restart.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const restart = serveCommand(published, async ({ node }, { database, lifecycle }) => {
  const { askRestart, nodeName: own } = lifecycle
  const rows = await database.read.selectFrom('listening_nodes').select('name').execute()
  const others = rows.map(({ name }) => name).filter((name) => name !== own)
  if (node !== undefined && node !== own) {
    const reason = others.includes(node)
      ? `${node} is another machine, this one is ${own}: call it at the address of ${node}`
      : `there is no node ${node}, this one is ${own}`
    throw new Failure('lifecycle.no_restart', { reason })
  }
  if (askRestart === undefined) {
    const reason = "this process was not started by 'logeye start'"
    throw new Failure('lifecycle.no_restart', { reason })
  }
  return () => {
    askRestart()
    return Promise.resolve({ node: own, restarting: true as const, otherNodes: others.sort() })
  }
})
