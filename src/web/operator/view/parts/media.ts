/** The state of a media query, for views that depend on it. */
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'

export function useMedia(query: string): boolean {
  const list = useMemo(() => matchMedia(query), [query])
  const holds = useSignal(list.matches)
  useEffect(() => {
    const onChange = () => {
      holds.value = list.matches
    }
    list.addEventListener('change', onChange)
    return () => list.removeEventListener('change', onChange)
  }, [list])
  return holds.value
}
