/** The current page of a list that is loaded by pages. */
import { useSignal } from '@preact/signals'
import type { PagerParts } from './parts.tsx'

export type Pages = {
  /** The value after which the page begins; undefined for the first page. */
  readonly after: string | undefined
  /** `next`: the value after which the next page begins; undefined if there is none. */
  readonly ways: (next: string | undefined) => Pick<PagerParts, 'onBack' | 'onOn'>
  readonly restart: () => void
}

export function usePages(): Pages {
  const pages = useSignal<readonly string[]>([])
  const go = (to: readonly string[]) => () => {
    pages.value = to
  }
  const { value: gone } = pages
  return {
    after: gone.at(-1),
    ways: (next) => ({
      onBack: gone.length === 0 ? undefined : go(gone.slice(0, -1)),
      onOn: next === undefined ? undefined : go([...gone, next]),
    }),
    restart: go([]),
  }
}
