/** Under which names the browser keeps what parts of the page have made that are loaded later: whoever finds something there loads the part. */
import type { BrowserStorage } from '../../shared/browser-storage.ts'

export const INDICATORS_ENTRY = 'bourse-chart-indicators'
export const DRAWINGS_ENTRY = 'bourse-chart-drawings'
export const ALERTS_ENTRY = 'bourse-price-alerts'
export const LAYOUT_ENTRY = 'bourse-layout'

/** What was kept and is nothing weighs nothing. */
export function isKept(storage: BrowserStorage, name: string): boolean {
  return (storage.read(name) ?? '[]') !== '[]'
}
