// Makes or changes an app.
import { z } from 'zod'
import { VIEWERS_OWN } from '../../../schemas/rights/sees.ts'
import { APP_COLOURS, appSettings, dashboardName } from '../../dashboards/app.ts'
import { argument, type CommandEntry } from '../argument.ts'
import { timeFrameValue } from '../time-frame-value.ts'
import { flagValue, listValue, textValue } from '../values.ts'

const { shape } = appSettings
const EVERYONE = 'everyone'

export const addApp = {
  name: 'addApp',
  help: 'Makes an app: dashboards with what they have in common. Without -viewGroups and -viewUsers everybody who signs in may view it; without -editGroups and -editUsers whoever may view it and has data.dashboards may edit it.',
  operation: 'data.dashboards',
  sees: VIEWERS_OWN,
  target: 'name',
  input: z.strictObject({
    name: argument(dashboardName, {
      description: 'name of the app; letter case does not tell two apart',
      hint: '<name>',
    }),
    description: argument(textValue.optional(), { description: 'free text', hint: '<text>' }),
    colour: argument(z.enum(APP_COLOURS, `must be one of ${APP_COLOURS.join(', ')}`).optional(), {
      description: 'by which people find it',
      hint: APP_COLOURS.join('|'),
    }),
    image: argument(shape.image.unwrap().optional(), {
      description: 'small picture as a data: address of PNG, JPEG or WebP; empty for none',
      hint: 'data:image/png;base64,…',
    }),
    timeFrame: argument(timeFrameValue.optional(), {
      description: 'time frame of all its dashboards that set none of their own',
      hint: 'last24Hours|-2h|-2h..-1h',
    }),
    sources: argument(shape.sources.unwrap().optional(), {
      description: 'logs that its widgets read, as the scope of a search; empty for all',
      hint: 'folder.Web, log.access*',
    }),
    generation: argument(shape.generation.unwrap().optional(), {
      description:
        'when results are made: never (when somebody asks, and kept), live (while it is open, not kept), or five fields of cron',
      hint: 'never|live|*/15 * * * *',
    }),
    timeZone: argument(shape.timeZone.unwrap().optional(), {
      description: 'of the schedule and of dates; empty for that of the system',
      hint: 'Europe/Berlin',
    }),
    viewGroups: argument(listValue.optional(), {
      description: `groups that may view it; an empty list with no users: administrators only; ${EVERYONE} for all`,
      hint: 'a,b',
    }),
    viewUsers: argument(listValue.optional(), {
      description: 'users that may view it',
      hint: 'a,b',
    }),
    editGroups: argument(listValue.optional(), {
      description: 'groups that may edit it, if their policy says data.dashboards',
      hint: 'a,b',
    }),
    editUsers: argument(listValue.optional(), {
      description: 'users that may edit it',
      hint: 'a,b',
    }),
    readyMade: argument(textValue.optional(), {
      description: 'makes the app of this name that comes along, with its dashboards',
      hint: 'Linux',
    }),
    update: argument(flagValue.optional(), {
      description: 'true: changes the app of this name; what is not given stays',
      hint: 'true|false',
      isFlag: true,
    }),
  }),
  answer: z.strictObject({ name: z.string(), dashboards: z.array(z.string()) }),
} as const satisfies CommandEntry
