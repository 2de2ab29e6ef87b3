// What goes on by itself is asked for again.
import { useEffect } from 'preact/hooks'
import type { Asked } from './asked.ts'

const AGAIN_MS = 2000

/** As long as `isGoing`, a moment after each answer; a failure is asked again by its button. */
export function useFollowing({ again, answer }: Asked<unknown>, isGoing: boolean): void {
  useEffect(() => {
    if (!isGoing) return
    const timer = setTimeout(again, AGAIN_MS)
    return () => clearTimeout(timer)
  }, [isGoing, answer])
}
