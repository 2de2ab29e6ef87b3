// Who may view and edit an app with its dashboards (docs/decisions/0073). A list gives no
// operation: whom it names as an editor needs data.dashboards, too, and the right to view. Pure.

/** Who somebody is, for lists of users and groups. */
export type Membership = {
  readonly userId: number
  readonly groups: ReadonlySet<number>
  readonly isAdministrator: boolean
}

/** While security is off (decision 1.7). */
export const NO_SECURITY: Membership = { userId: 0, groups: new Set(), isAdministrator: true }

export type AppList = { readonly groups: readonly number[]; readonly users: readonly number[] }

/** Null: everybody. */
export type AppLists = { readonly viewers: AppList | null; readonly editors: AppList | null }

export function mayViewApp({ viewers }: AppLists, who: Membership | undefined): boolean {
  return who !== undefined && (who.isAdministrator || isListed(viewers, who))
}

/** Without the operation, which the caller asks. */
export function mayEditApp(lists: AppLists, who: Membership | undefined): boolean {
  if (who === undefined) return false
  return who.isAdministrator || (mayViewApp(lists, who) && isListed(lists.editors, who))
}

function isListed(list: AppList | null, { userId, groups }: Membership): boolean {
  if (list === null) return true
  return list.users.includes(userId) || list.groups.some((id) => groups.has(id))
}
