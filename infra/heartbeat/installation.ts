// The nodes of the installation, as far as one of them knows: itself, and the listeners of the last
// hour. Of the others it does not know the version.
import type { Database } from '../database/port.ts'

const HOUR_MS = 3_600_000
const MAX_NODES = 500

type Node = { readonly name: string; readonly role: string; readonly version: string }

/** V7: one node does everything. X8: roles have addresses of their own. */
export async function describeInstallation(
  db: Database['read'],
  own: { readonly name: string; readonly roles: readonly string[]; readonly version: string },
  nowMs: number,
): Promise<{ layout: 'V7' | 'X8'; nodes: readonly Node[] }> {
  const rows = await db
    .selectFrom('listening_nodes')
    .select('name')
    .where('seen_ms', '>', nowMs - HOUR_MS)
    .where('name', '<>', own.name)
    .orderBy('name')
    .limit(MAX_NODES - 1)
    .execute()
  const others = rows.map(({ name }) => ({ name, role: 'listener', version: '' }))
  const { name, version, roles } = own
  const isWhole = ['listener', 'query', 'writer'].every((role) => roles.includes(role))
  const layout = isWhole && others.length === 0 ? 'V7' : 'X8'
  return { layout, nodes: [{ name, role: roles.join(' '), version }, ...others] }
}
