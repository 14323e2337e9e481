/** The ways in which somebody has the page open. */
import type { Page, ViewportSize } from 'playwright-core'

export type PageCase = {
  readonly name: string
  readonly viewport: ViewportSize
  /** How many times slower its CPU is. */
  readonly slower: number
  /** Opens what the case is about. */
  readonly prepare: (page: Page) => Promise<void>
}

const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

async function takeKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Trade as alice' }).click()
  await page.locator('.trade-desk[data-live="true"]').waitFor()
}

/** The first is the one that goals are about. */
export const PAGE_CASES: readonly [PageCase, ...PageCase[]] = [
  { name: 'key', viewport: DESK, slower: 1, prepare: takeKey },
  { name: 'no key', viewport: DESK, slower: 1, prepare: async () => {} },
  { name: 'phone', viewport: PHONE, slower: 1, prepare: takeKey },
  { name: 'CPU 4x slower', viewport: DESK, slower: 4, prepare: takeKey },
]
