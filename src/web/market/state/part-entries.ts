/**
 * The names under which the browser stores data of parts that are loaded later: a part is loaded if its data
 * is found.
 */
import type { BrowserStorage } from '../../shared/browser-storage.ts'

export const INDICATORS_ENTRY = 'bourse-chart-indicators'
export const DRAWINGS_ENTRY = 'bourse-chart-drawings'
export const ALERTS_ENTRY = 'bourse-price-alerts'
export const LAYOUT_ENTRY = 'bourse-layout'

/** An empty stored value does not count. */
export function isKept(storage: BrowserStorage, name: string): boolean {
  return (storage.read(name) ?? '[]') !== '[]'
}
