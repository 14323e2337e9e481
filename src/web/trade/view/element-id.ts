/** Ids that are unique in the document: preact's are unique only within a root, and the page has several. */
import { useMemo } from 'preact/hooks'

let made = 0

export function useElementId(): string {
  return useMemo(() => `trade-${++made}`, [])
}
