import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Banner } from './parts/banner.tsx'
import { Button } from './parts/button.tsx'
import { TEXTS } from './texts.ts'
import { Awaited } from './waiting/awaited.tsx'

const LOOK_MS = 5000
/** Code that is there sooner is not waited for in sight. */
const LATE_MS = 300

/** A page or part whose code is fetched when it is first shown. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function Lazy(props: Props) {
    const [Content, setContent] = useState(() => loaded)
    const [tries, setTries] = useState(0)
    const [failed, setFailed] = useState<'old' | 'away'>()
    const [isLate, setLate] = useState(false)
    useEffect(() => {
      if (Content !== undefined) return
      const timer = setTimeout(() => setLate(true), LATE_MS)
      load().then(
        (found) => {
          loaded = found
          setContent(() => found)
        },
        async () => setFailed((await isServerThere()) ? 'old' : 'away'),
      )
      return () => clearTimeout(timer)
    }, [tries])
    if (Content !== undefined) return <Content {...props} />
    if (failed === undefined) return isLate ? <Awaited /> : null
    const again = () => {
      setFailed(undefined)
      setTries(tries + 1)
    }
    if (failed === 'old')
      return (
        <Banner
          kind="warning"
          acts={<Button onClick={() => location.reload()}>{TEXTS.act.reload}</Button>}
        >
          {TEXTS.failure.oldPage}
        </Banner>
      )
    return (
      <Banner kind="error" acts={<Button onClick={again}>{TEXTS.act.retry}</Button>}>
        {TEXTS.failure.unreachable}
      </Banner>
    )
  }
}

/** It answers, and has not the code that this page wants: the page is older than the server. */
function isServerThere(): Promise<boolean> {
  const looked = fetch(location.pathname, {
    cache: 'no-store',
    signal: AbortSignal.timeout(LOOK_MS),
  })
  return looked.then(
    ({ ok }) => ok,
    () => false,
  )
}
