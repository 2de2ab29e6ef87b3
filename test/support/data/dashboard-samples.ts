// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the form of a variable
// Samples of apps and their dashboards, as object-samples.ts has them of all types.
import { dashboardDefinition } from '../../../schemas/dashboards/dashboard.ts'
import type { ObjectSample } from './object-samples.ts'

const HOSTILE = 'ümlaut 🦊 "quoted" \'it\' # not: a, comment'

const DASHBOARD_FILE = `${JSON.stringify(
  dashboardDefinition.parse({
    description: HOSTILE,
    variables: [{ kind: 'list', name: 'city', choices: ['Ulm', 'Łódź'] }],
    widgets: [
      {
        ...{ id: 'a', title: 'Cities', type: 'bar', query: 'city = ${city} | count' },
        place: { column: 0, row: 0, width: 6, height: 4 },
      },
    ],
  }),
  null,
  2,
)}\n`

export const DASHBOARD_SAMPLES: Readonly<Record<'app' | 'dashboard', readonly ObjectSample[]>> = {
  app: [
    {
      before: [
        ['securityUsers', { action: 'add', userName: 'carl', userPassword: 'his password' }],
      ],
      given: {
        name: 'Shop, [1]',
        description: HOSTILE,
        colour: 'teal',
        image: 'data:image/png;base64,AAAA',
        timeFrame: '-2h..-1h',
        sources: 'folder.Web, log.access*',
        generation: '*/15 * * * *',
        timeZone: 'Asia/Tokyo',
        viewGroups: 'administrators,everyone',
        viewUsers: 'carl',
        editGroups: 'administrators',
        editUsers: 'carl',
      },
      notOfIt: ['update', 'readyMade'],
    },
  ],
  dashboard: [
    {
      before: [['addApp', { name: 'Sales' }]],
      given: { app: 'Sales', name: 'Day, 1', file: DASHBOARD_FILE },
      notOfIt: ['update'],
    },
  ],
}
