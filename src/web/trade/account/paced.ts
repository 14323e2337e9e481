/** A signal as a view draws it where it may change hundreds of times a second. */
import { effect, type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** The value of a signal, at once where it has been quiet, and otherwise every so many milliseconds. */
export function usePaced<Value>(source: ReadonlySignal<Value>, everyMs: number): Value {
  const shown = useSignal(source.peek())
  useEffect(() => {
    let shownAt = Number.NEGATIVE_INFINITY
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = () => {
      timer = undefined
      shownAt = performance.now()
      shown.value = source.peek()
    }
    const stop = effect(() => {
      void source.value
      const waitMs = shownAt + everyMs - performance.now()
      if (waitMs <= 0) show()
      else timer ??= setTimeout(show, waitMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [source, everyMs])
  return shown.value
}
