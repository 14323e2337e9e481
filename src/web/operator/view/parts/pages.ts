/** How far somebody has gone on in a list that is asked for page by page. */
import { useSignal } from '@preact/signals'
import type { PagerParts } from './parts.tsx'

export type Pages = {
  /** What the page begins after; undefined: it is the first one. */
  readonly after: string | undefined
  /** `next`: what the page after this one begins after; undefined: there is none. */
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
