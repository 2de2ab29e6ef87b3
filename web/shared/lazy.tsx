import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Banner } from './parts/banner.tsx'
import { Button } from './parts/button.tsx'
import { TEXTS } from './texts.ts'

/** A page or part whose code is fetched when it is first shown. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function Lazy(props: Props) {
    const [Content, setContent] = useState(() => loaded)
    const [tries, setTries] = useState(0)
    const [hasFailed, setFailed] = useState(false)
    useEffect(() => {
      if (Content !== undefined) return
      load().then(
        (found) => {
          loaded = found
          setContent(() => found)
        },
        () => setFailed(true),
      )
    }, [tries])
    if (Content !== undefined) return <Content {...props} />
    if (!hasFailed) return null
    const again = () => {
      setFailed(false)
      setTries(tries + 1)
    }
    return (
      <Banner kind="error" acts={<Button onClick={again}>{TEXTS.act.retry}</Button>}>
        {TEXTS.failure.unreachable}
      </Banner>
    )
  }
}
