import type { CallError } from '../api/call.ts'
import { tellFailure } from '../tell-failure.ts'
import { TEXTS } from '../texts.ts'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'

/** To ask again would not help. */
const NO_RIGHT = 403

type FailureBannerProps = {
  readonly error: Pick<CallError, 'status' | 'message'>
  readonly onAgain: () => void
}

/** Why something is not there, and what to do. */
export function FailureBanner({ error, onAgain }: FailureBannerProps) {
  return (
    <Banner
      kind="error"
      acts={error.status !== NO_RIGHT && <Button onClick={onAgain}>{TEXTS.act.retry}</Button>}
    >
      {tellFailure(error)}
    </Banner>
  )
}
