// What apply and importObject answer, as a person reads it.
import type { ConfigurationAnswer, ObjectReport } from '../../../schemas/object-report.ts'

const PLANNED = { made: 'make', changed: 'change', unchanged: 'leave', removed: 'remove' } as const

export function printConfigurationAnswer(answer: ConfigurationAnswer): string {
  const { dryRun, made, changed, unchanged, removed, objects } = answer
  if (objects.length === 0) return `nothing to change: ${unchanged} unchanged\n`
  const counts = dryRun
    ? `plan: ${made} to make, ${changed} to change, ${removed} to remove, ${unchanged} unchanged`
    : `done: ${made} made, ${changed} changed, ${removed} removed, ${unchanged} unchanged`
  return [counts, ...objects.flatMap((object) => printObject(object, dryRun)), ''].join('\n')
}

function printObject(object: ObjectReport, isPlanned: boolean): string[] {
  const { type, name, done, changes = [], shownOnce = {}, notes } = object
  return [
    `  ${isPlanned ? PLANNED[done] : done} ${type} ${name}`,
    ...changes.map(
      ({ field, from, to }) => `    ${field}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}`,
    ),
    ...Object.entries(shownOnce).map(([key, value]) => `    ${key}, shown this once: ${value}`),
    ...notes.map((note) => `    ${note}`),
  ]
}
