/** What an operator does on the page, in the words that stand there. */
import { expect } from 'bun:test'
import type { Page } from 'playwright-core'

/** Clicks a link of the page's top, and waits for what the view has. */
export async function show(page: Page, view: string, panel: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: view, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: view, exact: true }).waitFor()
  await page.getByRole('region', { name: panel, exact: true }).first().waitFor()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.getByText('Asking the node …').first().waitFor({ state: 'detached' })
}

/** Fills the dialog that is open, sends it, and reads what came of it. */
export async function carryOut(
  page: Page,
  command: string,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const dialog = page.getByRole('dialog', { name: command })
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value)
  await dialog.getByRole('button', { name: command, exact: true }).click()
  const text = await dialog.getByRole('status').innerText()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  return text
}

/** The first row with this text. */
export const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text }).first()
