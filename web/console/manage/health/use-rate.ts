import { useEffect, useRef, useState } from 'preact/hooks'
import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import type { Asked } from '../../../shared/asked.ts'
import { rateBetween } from './health-rows.ts'

type State = SdkAnswer<'systemState'>

const SECOND_LOOK_MS = 4000

/** Events received a second, between the last two answers; the second one is asked for by itself.
 *  Undefined: not known yet. */
export function useRate({ answer, again }: Asked<State>): number | undefined {
  const before = useRef<State | undefined>(undefined)
  const [rate, setRate] = useState<number>()
  useEffect(() => {
    if (answer === undefined) return
    const isFirst = before.current === undefined
    if (before.current !== undefined) setRate(rateBetween(before.current, answer))
    before.current = answer
    if (!isFirst) return
    const timer = setTimeout(again, SECOND_LOOK_MS)
    return () => clearTimeout(timer)
  }, [answer])
  return rate
}
