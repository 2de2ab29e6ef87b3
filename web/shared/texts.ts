// Every text that people read on more than one page, in one place for translators. A page's own
// texts are in a file beside it, with the same form.

export const TEXTS = {
  product: 'Logeye',
  signIn: {
    title: 'Sign in',
    user: 'User',
    password: 'Password',
    code: 'Code of your second factor',
    codeHelp: 'Six digits of your app, or a recovery code.',
    submit: 'Sign in',
    provider: 'Sign in with your organization',
    failed: 'User or password is wrong.',
    codeFailed: 'The code is wrong or was used before.',
    away: 'The server does not answer. What you typed is kept; try again.',
    later: 'Try again in a moment.',
    ended: 'Your session has ended',
    endedText: 'Sign in again. Nothing on the page is lost.',
    signOut: 'Sign out',
    other: 'Sign in as another user?',
    otherText: (user: string, next: string) =>
      `You are signed in as ${user}. The link signs in as ${next}; your session would end. Stay, unless you know who made the link.`,
    stay: (user: string) => `Stay signed in as ${user}`,
    switchTo: (user: string) => `Sign in as ${user}`,
  },
  shell: {
    pages: 'Pages',
    search: 'Search',
    dashboards: 'Dashboards',
    manage: 'Manage',
    securityOff: 'Security is off: everybody who reaches this address is an administrator.',
    account: (name: string) => `${name}: theme, density, account, sign out`,
    own: 'My account',
    themes: { system: 'Theme of the system', light: 'Light', dark: 'Dark' },
    densities: { compact: 'Compact', comfortable: 'Comfortable' },
    unknownPage: 'There is no such page.',
    toSearch: 'Go to the search',
    skip: 'Skip to content',
  },
  sortBy: (column: string) => `Sort by ${column}`,
  act: {
    close: 'Close',
    cancel: 'Cancel',
    retry: 'Try again',
    reload: 'Load the page again',
    copied: 'Copied',
    loading: 'Loading …',
  },
  failure: {
    unreachable: 'The server does not answer.',
    failed: (why: string) =>
      why === '' ? 'This could not be read.' : `This could not be read: ${why}.`,
    oldPage:
      'There is a newer version of this page. Load it again to go on; the address keeps what you see.',
    noRight: 'Your rights do not reach this page. An administrator can give them to you.',
  },
}
