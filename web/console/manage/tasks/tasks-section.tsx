import { makeObjectsSection } from '../objects/objects-section.tsx'
import { cronForm } from '../schedule/cron-draft.ts'
import { makeScheduleField } from '../schedule/schedule-field.tsx'
import { CollectedLogs } from './collected-logs.tsx'
import { TaskRuns, useRunColumns } from './task-runs.tsx'
import { TASK_TEXTS } from './texts.ts'

const TASK = {
  controls: {
    cron: makeScheduleField({
      ...{ usual: '', label: TASK_TEXTS.cron, form: cronForm({ isOptional: true }) },
      isZoned: false,
    }),
  },
  useColumns: useRunColumns,
  tabs: [{ name: 'runs', text: TASK_TEXTS.tab, Content: TaskRuns }],
}

export const TasksSection = makeObjectsSection(['scanTask', 'syncLogTask', 'queryTask'], {
  scanTask: { ...TASK, Below: CollectedLogs },
  syncLogTask: TASK,
  queryTask: TASK,
})
