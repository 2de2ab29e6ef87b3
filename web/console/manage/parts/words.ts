// Names of arguments as people read them.

const ACRONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    api: 'API',
    csv: 'CSV',
    http: 'HTTP',
    https: 'HTTPS',
    id: 'id',
    ip: 'IP',
    oidc: 'OIDC',
    smtp: 'SMTP',
    tls: 'TLS',
    url: 'URL',
    json: 'JSON',
    unc: 'UNC',
    ssh: 'SSH',
  }),
)

/** parentFolder -> Parent folder, ipMaskV6 -> IP mask v6. */
export function toWords(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(' ')
    .map((word) => ACRONYMS.get(word) ?? word)
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** widgets.searchAPI.maxNumOfRecords -> Search API: max num of records. */
export function settingWords(name: string): string {
  const [, ...parts] = name.split('.').map(toWords)
  const [first = name, ...more] = parts
  return [first, ...more.map((one) => one.charAt(0).toLowerCase() + one.slice(1))].join(': ')
}

/** sdk.addSSHAccount -> Add SSH account, search.events -> Search: events; sdk.alerts with the deed
 *  muteUntil -> Alerts: mute until. */
export function actionWords(action: string, deed?: string): string {
  const parts = action.replace(/^sdk\./, '').split('.')
  const [first = '', ...more] = [...parts, ...(deed === undefined ? [] : [deed])].map(toWords)
  return [first, ...more.map((one) => one.charAt(0).toLowerCase() + one.slice(1))].join(': ')
}

/** Names of a record of texts, in their order. */
export function namesOf<Name extends string>(texts: Readonly<Record<Name, unknown>>): Name[] {
  const names: Name[] = []
  for (const name in texts) names.push(name)
  return names
}
