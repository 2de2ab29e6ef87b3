// Statistics of collected data (section 5.1 of the specification), which have no envelope.
import { CallError, readJson, statusTextOf } from './call.ts'
import { renewSession } from './renewal.ts'
import { session } from './session.ts'

const UNAUTHENTICATED = 401

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
  const path = `/logeye/message/messageJsonApi.jsp?${asked}`
  let answer = await ask(path, signal)
  if (answer.status === UNAUTHENTICATED && session.value !== undefined) {
    await renewSession(signal)
    answer = await ask(path, signal)
  }
  if (!answer.ok) throw new CallError(statusTextOf(answer), { status: answer.status })
  const { data } = await readJson<Told>(answer, signal)
  return data.collectionData.map((one) => ({
    name: one.Folders,
    totalLogs: one.totalLogs,
    collectedLogs: one.collectedLogs,
    silent: (one.unCollectedLogsData ?? []).map(({ log }) => log.split(',').join('->')),
  }))
}

async function ask(path: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(path, { signal })
  } catch (error) {
    if (signal.aborted) throw error
    throw new CallError('', { status: 0 })
  }
}
