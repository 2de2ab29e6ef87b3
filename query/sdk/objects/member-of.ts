import { type Membership, NO_SECURITY } from '../../../infra/metastore/dashboards/app-access.ts'
import type { ObjectViewer } from './object-kind.ts'

/** For the lists of apps; undefined: nobody. */
export function memberOf({ membership }: ObjectViewer): Membership | undefined {
  if (membership === 'nobody') return undefined
  return membership ?? NO_SECURITY
}
