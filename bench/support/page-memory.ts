/**
 * The memory of a page that is used for minutes: its heap, nodes and listeners after garbage collection,
 * minute by minute.
 */
import type { Browser, Page } from 'playwright-core'
import { chooseMarket } from '../../test/browser/support/shown.ts'
import { table } from './conditions.ts'
import { PAGE_CASES } from './page-cases.ts'
import { type PageLoad, SYMBOL } from './page-load.ts'
import { type PageMemory, PageWatch } from './page-watch.ts'

const MINUTE_MS = 60_000
const MIB = 2 ** 20
/** Pause between two actions on the page. */
const ACT_EVERY_MS = 1_500
const OTHER_SYMBOL = 'ETH/USDT'

/** Repeated in order: each view that one action opens is closed by the next action or by itself. */
const ACTS: readonly ((page: Page) => Promise<void>)[] = [
  (page) => chooseMarket(page, OTHER_SYMBOL),
  (page) => tab(page, 'Order history'),
  (page) => chooseMarket(page, SYMBOL),
  (page) => tab(page, 'Fills'),
  (page) => tab(page, 'Depth'),
  (page) => page.locator('#market-button').click(),
  (page) => page.keyboard.press('Escape'),
  (page) => tab(page, 'Candles'),
  (page) => page.locator('.intervals button').nth(1).click(),
  (page) => page.locator('.intervals button').nth(0).click(),
  (page) => tab(page, 'Open orders'),
  (page) => page.locator('#menu-button').click(),
  (page) => page.keyboard.press('Escape'),
]

/** Makes `changes` changes a second for a number of minutes, with a user who moves through the page. */
export async function memoryTable(
  browser: Browser,
  address: string,
  load: PageLoad,
  { minutes, changes }: { readonly minutes: number; readonly changes: number },
): Promise<string> {
  const [{ viewport, prepare }] = PAGE_CASES
  const watch = await PageWatch.open(browser, address, viewport)
  await prepare(watch.page)
  load.begin(changes)
  const rows: string[][] = []
  const startedAt = performance.now()
  let act = 0
  for (let minute = 1; minute <= minutes; minute++) {
    while (performance.now() - startedAt < minute * MINUTE_MS) {
      await ACTS[act++ % ACTS.length]?.(watch.page)
      await Bun.sleep(ACT_EVERY_MS)
    }
    // Completes the cycle, so that each sample shows the same view.
    while (act % ACTS.length !== 0) await ACTS[act++ % ACTS.length]?.(watch.page)
    rows.push(rowOf(minute, await watch.memory()))
  }
  load.end()
  await watch.close()
  return `\nin use after a collection, while ${changes} changes a second come and the page is worked with\n${table([['minute', 'heap MiB', 'nodes', 'listeners'], ...rows])}`
}

function rowOf(minute: number, { heapBytes, nodes, listeners }: PageMemory): string[] {
  return [String(minute), (heapBytes / MIB).toFixed(1), String(nodes), String(listeners)]
}

async function tab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click()
}
