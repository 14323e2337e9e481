/** A person's actions in the order form, for the tests of the trading page. */
import type { Locator, Page } from 'playwright-core'
import { kindsOf, type OrderKind, tabOf } from '../../../src/web/trade/state/draft/order-kinds.ts'
import { closeMenu, openMenu, showView } from './shown.ts'

export const trade = (page: Page): Locator => page.getByRole('region', { name: 'Trade', exact: true })
export const orders = (page: Page): Locator => page.locator('tr[data-order]')
/** Notices of the page, shown over it. */
export const notices = (page: Page): Locator => page.locator('.trade-notices')
export const send = (page: Page): Locator => page.locator('.trade-send')

/** Loads Alice's key, and waits until the account is live. */
export async function takeAlice(page: Page): Promise<void> {
  await showView(page, 'Trade')
  await page.getByRole('button', { name: 'Trade as alice' }).click()
  await page.locator('.trade-desk[data-live="true"]').waitFor()
}

/** Fills in a LIMIT order. */
export async function fill(page: Page, price: string, quantity: string): Promise<void> {
  await field(page, 'Price').fill(price)
  await field(page, 'Quantity').fill(quantity)
}

/** The field whose label starts with this. */
export function field(page: Page, label: string): Locator {
  return trade(page).getByLabel(new RegExp(`^${label}`))
}

/** Confirms the page's question before sending. */
export async function sayYes(page: Page): Promise<void> {
  await page.getByRole('dialog').locator('.trade-primary').click()
}

/** Places a LIMIT order and confirms the page's question. */
export async function place(page: Page, price: string, quantity: string): Promise<void> {
  await fill(page, price, quantity)
  await send(page).click()
  await sayYes(page)
}

/** Makes the page ask for confirmation only if a price or a value is far off. */
export async function askSeldom(page: Page): Promise<void> {
  const menu = await openMenu(page)
  await menu.getByLabel('Confirm every order').uncheck()
  await closeMenu(page)
}

/** Removes the key: from now on no tab trades with it. */
export async function forgetKey(page: Page): Promise<void> {
  await (await openMenu(page)).getByRole('button', { name: 'Forget key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Forget key' }).click()
}

/** Chooses a type of order, or of list, in the form. */
export async function chooseKind(page: Page, kind: OrderKind): Promise<void> {
  const form = page.locator('.trade-form')
  await form.locator(`[data-tab="${tabOf(kind)}"]`).click()
  if (kindsOf(tabOf(kind)).length > 1)
    await form.locator('.trade-choices .trade-type select').selectOption(kind)
}

/** Screens on which the order form is tested: laptops, a tablet, a phone. */
export const SCREENS = [
  { width: 1366, height: 657 },
  { width: 1536, height: 730 },
  { width: 1440, height: 780 },
  { width: 1024, height: 700 },
  { width: 390, height: 660 },
] as const

/** Parts of an order that are covered or not fully visible without scrolling. */
export function outOfSight(page: Page, selectors: readonly string[]): Promise<readonly string[]> {
  return page.evaluate((wanted) => {
    return wanted.filter((selector) => {
      const element = document.querySelector(`.trade-form ${selector}`)
      if (element === null) return true
      const { left, right, top, bottom } = element.getBoundingClientRect()
      const corners = [top + 2, bottom - 2].map((y) => document.elementFromPoint((left + right) / 2, y))
      return !corners.every((at) => at !== null && element.contains(at))
    })
  }, selectors)
}
