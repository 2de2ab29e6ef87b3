import { PATHS } from '../shell/paths.ts'
import { WORKSPACE } from '../texts.ts'

/** The way on from an empty list of what organizations have. */
export function ToOrganizations() {
  return (
    <a class="button button-main" href={PATHS.customers}>
      {WORKSPACE.pages.customers}
    </a>
  )
}
