// Which partition a sender's events go to: always the same, so that their order stays and a repeat
// meets its first (decisions 2.7, 2.8).

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** By the sender: the account and its `hostName`, else the peer. Part of the stored order: never
 *  change it. */
export function partitionOf(accountId: number, sender: string, partitions: number): number {
  if (partitions === 1) return 0
  const text = `${accountId} ${sender}`
  let hash = FNV_OFFSET
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME)
  return (hash >>> 0) % partitions
}
