// Statistics of collected data (section 5.1 of the specification), which have no envelope.
import { CallError } from './call.ts'

export type CollectedFolder = {
  readonly name: string
  readonly totalLogs: number
  readonly collectedLogs: number
  /** Paths of the logs that took nothing. */
  readonly silent: readonly string[]
}

type Told = {
  readonly data: {
    readonly collectionData: readonly {
      readonly Folders: string
      readonly totalLogs: number
      readonly collectedLogs: number
      readonly unCollectedLogsData?: readonly { readonly log: string }[]
    }[]
  }
}

/** Throws CallError. */
export async function readCollected(
  timeFrame: string,
  signal: AbortSignal,
): Promise<CollectedFolder[]> {
  const asked = new URLSearchParams({
    api: 'collectedDataInfo',
    detailsLevel: 'Detailed',
    maxNumberOfResults: '1000',
    timeFrame,
  })
  const answer = await fetch(`/logeye/message/messageJsonApi.jsp?${asked}`, { signal }).catch(
    (error: unknown) => {
      if (signal.aborted) throw error
      throw new CallError('', { status: 0 })
    },
  )
  if (!answer.ok) throw new CallError(answer.statusText, { status: answer.status })
  const { data }: Told = await answer.json()
  return data.collectionData.map((one) => ({
    name: one.Folders,
    totalLogs: one.totalLogs,
    collectedLogs: one.collectedLogs,
    silent: (one.unCollectedLogsData ?? []).map(({ log }) => log.split(',').join('->')),
  }))
}
