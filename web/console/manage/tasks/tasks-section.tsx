import { makeObjectsSection } from '../objects/objects-section.tsx'
import { TaskRuns, useRunColumns } from './task-runs.tsx'
import { TASK_TEXTS } from './texts.ts'

export const TasksSection = makeObjectsSection(['scanTask', 'syncLogTask'], {
  scanTask: {
    useColumns: useRunColumns,
    tabs: [{ name: 'runs', text: TASK_TEXTS.tab, Content: TaskRuns }],
  },
  syncLogTask: { Head: () => <p class="soft">{TASK_TEXTS.noSync}</p> },
})
