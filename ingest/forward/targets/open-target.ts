// From the address that a policy gives to what sends.
import { openHttpTarget } from './http.ts'
import { openKafkaTarget } from './kafka.ts'
import { openSyslogTarget } from './syslog.ts'
import type { ForwardTarget } from './target.ts'

export async function openTarget(address: string): Promise<ForwardTarget> {
  if (address.startsWith('kafka:')) return await openKafkaTarget(address)
  const url = new URL(address)
  return /^https?:$/.test(url.protocol) ? openHttpTarget(url) : openSyslogTarget(url)
}
