import type { NewLog } from '../../../infra/metastore/tree/port.ts'

export function makeNewLog(facts: Partial<NewLog> = {}): NewLog {
  return {
    folder: ['Events'],
    name: 'log',
    accountId: null,
    policyId: 1,
    appTags: [],
    typeWords: [],
    receivedHour: 0,
    ...facts,
  }
}
