// The tree of folders and logs (section 5.2 of the specification).
import { call } from './call.ts'

export type TreeNode = {
  readonly id: string
  readonly name: string
  readonly description: string
  /** Module: a folder. */
  readonly type: 'Module' | 'Log'
  readonly children: readonly TreeNode[]
}

/** From the root on. */
export function readTree(signal: AbortSignal): Promise<TreeNode> {
  return call('/logeye/restapi/folders-and-logs-configuration', { signal })
}
