import type { Warning } from '../../../../schemas/warning.ts'
import type { CallError } from '../../../shared/api/call.ts'
import { Banner } from '../../../shared/parts/banner.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { asSentence } from '../../../shared/tell-failure.ts'
import { TEXTS } from '../../../shared/texts.ts'
import { faultText } from '../fault-text.ts'
import { timesFault } from '../run/times-fault.ts'
import type { Range } from '../run/view.ts'
import { T } from '../texts.ts'

export type WarningListProps = {
  readonly warnings: readonly Warning[]
  readonly error: CallError | undefined
  /** That was asked for. */
  readonly range: Range
  readonly onApply: (query: string) => void
  /** The same search once more. */
  readonly onRetry: () => void
}

/** What the search says beside its answer, and what is wrong with it, each with its way out. */
export function WarningList({ warnings, error, range, onApply, onRetry }: WarningListProps) {
  return (
    <>
      {error !== undefined && (
        <Banner
          kind="error"
          acts={error.isRetriable && <Button onClick={onRetry}>{TEXTS.act.retry}</Button>}
        >
          {timesFault(range, error) ?? faultText(error)}
        </Banner>
      )}
      {warnings.map(({ code, message, replacement }) => (
        <Banner
          key={`${code} ${message}`}
          kind="warning"
          acts={
            replacement !== undefined && (
              <Button onClick={() => onApply(replacement)}>{T.warningApply(replacement)}</Button>
            )
          }
        >
          {asSentence(message)}
        </Banner>
      ))}
    </>
  )
}
