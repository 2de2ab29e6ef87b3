import { Button } from '../../shared/parts/button.tsx'
import { stopSearch } from './run/search-run.ts'
import { T } from './texts.ts'

/** Runs the search, or stops the one that runs. */
export function RunButton({
  isBusy,
  onRun,
}: {
  readonly isBusy: boolean
  readonly onRun: () => void
}) {
  if (isBusy) return <Button onClick={stopSearch}>■ {T.stop}</Button>
  return (
    <Button look="main" onClick={onRun}>
      {T.run}
    </Button>
  )
}
