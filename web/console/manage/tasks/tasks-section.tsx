import { makeObjectsSection } from '../objects/objects-section.tsx'
import { CollectedLogs } from './collected-logs.tsx'
import { TaskRuns, useRunColumns } from './task-runs.tsx'
import { TASK_TEXTS } from './texts.ts'

const RUNS = {
  useColumns: useRunColumns,
  tabs: [{ name: 'runs', text: TASK_TEXTS.tab, Content: TaskRuns }],
}

export const TasksSection = makeObjectsSection(['scanTask', 'syncLogTask', 'queryTask'], {
  scanTask: { ...RUNS, Below: CollectedLogs },
  syncLogTask: RUNS,
  queryTask: RUNS,
})
