// Parameters and answers of the configuration reads and of the statistics call, for the OpenAPI
// document and for their types. Names are the specification's.
import { z } from 'zod'
import { FIXED_INTERVALS } from '../time/time-window.ts'

const sourceQuery = z
  .string()
  .optional()
  .meta({
    description:
      'Which logs, as a scope of a search: apptag.<AppTag>, folder.<Folder>, log.<Log> or type.<type>, several with commas. Without it: all.',
    examples: ['folder.Web, apptag.Shop'],
  })

export const sourceParameters = z.object({ sourceQuery })

export const logParameters = z.object({
  logPath: z
    .string()
    .meta({ description: 'The folder of the log.', examples: ['ROOT->Web->Edge'] }),
  logName: z.string(),
})

export const statisticsParameters = z.object({
  api: z.literal('collectedDataInfo'),
  type: z.enum(['Folders', 'AppTags']).optional().meta({ description: 'The default is Folders.' }),
  timeFrame: z
    .enum(FIXED_INTERVALS)
    .optional()
    .meta({ description: 'Of receipt. The default is last24Hours.' }),
  detailsLevel: z
    .enum(['Basic', 'Detailed'])
    .optional()
    .meta({ description: 'The default is Basic.' }),
  maxNumberOfResults: z.int().min(1).optional().meta({
    description: 'With Detailed: logs of each list at most. The default is 100.',
  }),
})

export type TreeNode = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly type: 'Module' | 'Log'
  readonly hasChildrens: boolean
  readonly children: readonly TreeNode[]
}

const treeNode: z.ZodType<TreeNode> = z
  .strictObject({
    id: z.string().meta({ description: 'root, f<n> or l<n>; never used for another node.' }),
    name: z.string(),
    description: z.string(),
    type: z.enum(['Module', 'Log']),
    hasChildrens: z.boolean(),
    get children() {
      return z.array(treeNode)
    },
  })
  .meta({ id: 'TreeNode' })

export const logDefinitionAnswer = z
  .strictObject({
    type: z.literal('Log'),
    id: z.string(),
    name: z.string(),
    description: z.string(),
    path: z.string().meta({ description: 'Folder path without ROOT.' }),
    appTags: z.array(z.string()),
    collectionPolicy: z.string(),
    patterns: z.array(z.string()),
    filePaths: z.string().meta({
      description: 'Joined by @#@#; what a listener account brings is listener:<account>.',
    }),
    accountName: z.string(),
    charSet: z.string(),
    timeZone: z.string(),
    dataFilterQuery: z.string(),
  })
  .meta({ id: 'LogDefinition' })

export type LogDefinitionAnswer = z.infer<typeof logDefinitionAnswer>

export const treeAnswer = envelopeOf(treeNode)
export const logAnswer = envelopeOf(logDefinitionAnswer)
export const rowsAnswer = envelopeOf(z.array(z.string()))

function envelopeOf(response: z.ZodType) {
  return z.strictObject({
    success: z.literal(true),
    errorMessage: z.null(),
    response,
    httpStatusCode: z.literal(200),
  })
}

const statistics = {
  totalLogs: z.int(),
  collectedLogs: z.int(),
  unCollectedLogsData: z
    .array(
      z.strictObject({
        log: z.string().meta({ description: 'Its path, levels with commas between them.' }),
        dataSize: z.int().meta({
          description:
            'Bytes that the log holds altogether; 0 for users from whom a policy hides values.',
        }),
      }),
    )
    .optional()
    .meta({ description: 'With Detailed only; the longest silence first.' }),
}

export const statisticsAnswer = z
  .strictObject({
    data: z.strictObject({
      collectionData: z.array(
        z.union([
          z.strictObject({ Folders: z.string(), ...statistics }),
          z.strictObject({ AppTags: z.string(), ...statistics }),
        ]),
      ),
    }),
  })
  .meta({ id: 'CollectedData' })

export type CollectedData = z.infer<typeof statisticsAnswer>
