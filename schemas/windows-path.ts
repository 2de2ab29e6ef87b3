// A path of a Windows share, and where it lies on a machine that has mounted the share.
import { trimEnd } from './names/trim-end.ts'

/** `\\host\logs\a.evtx` below `\\host\logs` at `/mnt/logs` is `/mnt/logs/a.evtx`; letter case of
 *  host and share does not count. undefined: not below it. */
export function mountedPath(
  unc: string,
  { share, mountPath }: { readonly share: string; readonly mountPath: string },
): string | undefined {
  const top = trimEnd(share, '\\')
  const isBelow = unc.toLowerCase().startsWith(`${top.toLowerCase()}\\`) || isSame(unc, top)
  if (!isBelow) return undefined
  const levels = unc
    .slice(top.length)
    .split('\\')
    .filter((level) => level !== '')
  if (levels.some((level) => level === '..' || level.includes('/'))) return undefined
  return [trimEnd(mountPath, '/'), ...levels].join('/')
}

function isSame(one: string, other: string): boolean {
  return trimEnd(one, '\\').toLowerCase() === other.toLowerCase()
}
