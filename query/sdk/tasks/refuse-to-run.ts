import { Failure } from '../../../schemas/failures.ts'

/** A part of the product that comes later. */
export function refuseToRun(name: string): Failure {
  return new Failure('sdk.not_yet', {
    what: `running the task ${name}`,
    hint: 'log sync tasks are not part of this version: the task is kept and does not run',
  })
}
