/** The scenes of the pictures: the user, the page, the screen, and the actions before the picture. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { showView } from '../support/shown.ts'
import { field, orders, send, takeAlice } from '../support/trading.ts'
import type { Stage } from './stage.ts'

export type Scene = {
  readonly name: string
  /** Brings a page to the state of the picture. */
  readonly open: (stage: Stage) => Promise<Page>
  /** Elements that differ in every run, and are painted over before pictures are compared. */
  readonly changing: readonly string[]
}

const WIDE: BrowserContextOptions = { viewport: { width: 1_440, height: 900 }, colorScheme: 'dark' }
const TABLET: BrowserContextOptions = { viewport: { width: 1_024, height: 768 }, colorScheme: 'dark' }
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  colorScheme: 'dark',
  hasTouch: true,
  isMobile: true,
}
const LIGHT = { colorScheme: 'light' } as const
const OPERATOR_CHANGING = ['.chart', 'td', 'dd', '.figure', '.who', '.troubles .help', 'time', 'output']

/** The scenes of the documentation's pictures. */
export const SHOWN: readonly Scene[] = [
  trading('trading-dark', WIDE),
  trading('trading-light', { ...WIDE, ...LIGHT }),
  trading('trading-phone', PHONE),
  trading('trading-turkish', { ...WIDE, locale: 'tr-TR' }),
  operator('operator-overview', '', WIDE),
  operator('operator-money', 'money', { ...WIDE, ...LIGHT }),
]

/** The scenes that tests compare the pages with. */
export const PINNED: readonly Scene[] = [
  trading('trading-dark', WIDE),
  trading('trading-light', { ...WIDE, ...LIGHT }),
  trading('trading-tablet', TABLET),
  trading('trading-phone', PHONE),
  newcomer('trading-newcomer', { ...WIDE, ...LIGHT }),
  refusal('order-refused', { ...PHONE, ...LIGHT }),
  operator('operator-overview', '', WIDE),
  operator('operator-money', 'money', { ...WIDE, ...LIGHT }),
]

/** Alice's page before her orders. */
function trading(name: string, options: BrowserContextOptions): Scene {
  const open = async (stage: Stage) => {
    const page = await stage.open(`${stage.pageUrl}#BTC/USDT`, options)
    await seen(page)
    if (options.locale === 'tr-TR')
      await page.locator('.trade-key button:not(.trade-primary)').first().click()
    else await takeAlice(page)
    await orders(page).nth(2).waitFor({ state: 'attached' })
    // Smaller screens have fewer levels.
    if ((options.viewport?.width ?? 0) >= 1_200) await page.locator('#bids tr[data-own]').waitFor()
    await showView(page, 'Chart')
    await page
      .locator('#chart')
      .getByText(/Your fills|İşlemleriniz/)
      .first()
      .waitFor()
    return page
  }
  return { name, open, changing: ['#chart-body'] }
}

function newcomer(name: string, options: BrowserContextOptions): Scene {
  const open = async (stage: Stage) => {
    const page = await stage.open(`${stage.pageUrl}#BTC/USDT`, options)
    await seen(page)
    return page
  }
  return { name, open, changing: ['#chart-body', '.snippet', '.facts dd'] }
}

/** An ambiguous price in a typed order, and an order that is larger than the account. */
function refusal(name: string, options: BrowserContextOptions): Scene {
  const open = async (stage: Stage) => {
    const page = await stage.open(`${stage.pageUrl}#BTC/USDT`, options)
    await seen(page)
    await takeAlice(page)
    await field(page, 'Price').fill('59,600')
    await field(page, 'Quantity').fill('0.123456789')
    await page.getByRole('button', { name: 'Use 0.12345679' }).waitFor()
    await send(page).focus()
    return page
  }
  return { name, open, changing: [] }
}

function operator(name: string, view: string, options: BrowserContextOptions): Scene {
  const open = async (stage: Stage) => {
    const page = await stage.open(`${stage.admin.url}/#${view}`, options)
    await page.getByLabel('Your named token').fill(await stage.operatorToken())
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('main').getByRole('heading', { level: 2 }).first().waitFor()
    await page.getByText('Asking the node').first().waitFor({ state: 'detached' })
    return page
  }
  return { name, open, changing: OPERATOR_CHANGING }
}

/** Waits until the market is live and its chart is drawn. */
async function seen(page: Page): Promise<void> {
  await page.locator('body[data-connection="live"]').waitFor()
  await page.locator('#chart[data-state="live"]').waitFor()
  await page
    .locator('#chart-figures, .chart-figures')
    .first()
    .getByText(/Vol|Hac/)
    .waitFor()
  await page.locator('#tape tr').nth(10).waitFor({ state: 'attached' })
  const markets = page.locator('#market-list')
  if (await markets.isVisible()) await markets.locator('.market:not([data-stale])').nth(2).waitFor()
}
