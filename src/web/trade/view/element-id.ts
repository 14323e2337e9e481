/** Ids of elements, each once in the document: those that preact gives are of one root alone, and the page has several. */
import { useMemo } from 'preact/hooks'

let made = 0

export function useElementId(): string {
  return useMemo(() => `trade-${++made}`, [])
}
