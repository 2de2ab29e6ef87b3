// What is free on the disk of a directory, and what it holds in all.
import { statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'

/** `freeBytes`: for a process without privileges. */
export type DiskSpace = { readonly freeBytes: number; readonly totalBytes: number }

export async function readDiskSpace(directory: string): Promise<DiskSpace> {
  return toSpace(await statfs(directory))
}

export function readDiskSpaceSync(directory: string): DiskSpace {
  return toSpace(statfsSync(directory))
}

function toSpace(stats: { bavail: number; blocks: number; bsize: number }): DiskSpace {
  return { freeBytes: stats.bavail * stats.bsize, totalBytes: stats.blocks * stats.bsize }
}
