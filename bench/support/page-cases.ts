/** The situations in which the page is measured. */
import type { Page, ViewportSize } from 'playwright-core'
import { showView } from '../../test/browser/support/shown.ts'

export type PageCase = {
  readonly name: string
  readonly viewport: ViewportSize
  /** The factor by which the page's CPU is slowed down. */
  readonly slower: number
  /** Opens the subject of the case. */
  readonly prepare: (page: Page) => Promise<void>
}

const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

async function takeKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Trade as alice' }).click()
  await page.locator('.trade-desk[data-live="true"]').waitFor()
}

async function takeKeyOnPhone(page: Page): Promise<void> {
  await showView(page, 'Trade')
  await takeKey(page)
  await showView(page, 'Book')
}

async function showTab(page: Page, name: string): Promise<void> {
  await takeKey(page)
  const tab = page.getByRole('tab', { name, exact: true })
  await tab.click()
  await page.locator('[role="tab"][aria-selected="true"]', { hasText: name }).waitFor()
}

/** The goals are for the first case. */
export const PAGE_CASES: readonly [PageCase, ...PageCase[]] = [
  { name: 'key', viewport: DESK, slower: 1, prepare: takeKey },
  { name: 'no key', viewport: DESK, slower: 1, prepare: async () => {} },
  { name: 'depth', viewport: DESK, slower: 1, prepare: (page) => showTab(page, 'Depth') },
  { name: 'history', viewport: DESK, slower: 1, prepare: (page) => showTab(page, 'Order history') },
  { name: 'phone', viewport: PHONE, slower: 1, prepare: takeKeyOnPhone },
  { name: 'CPU 4x slower', viewport: DESK, slower: 4, prepare: takeKey },
]
