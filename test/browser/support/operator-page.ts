/** An operator's actions on the page, by the texts shown there. */
import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { ADMIN_COMMANDS } from '../../../src/cli/admin/sections.ts'

/** Clicks a link at the top of the page, and waits for the view's panel. */
export async function show(page: Page, view: string, panel: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: view, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: view, exact: true }).waitFor()
  await page.getByRole('region', { name: panel, exact: true }).first().waitFor()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.getByText('Asking the node …').first().waitFor({ state: 'detached' })
}

/** The title in the dialog of a command of the command line. */
export function titleOf(command: string): string {
  const found = ADMIN_COMMANDS.find(({ name }) => name === command)
  if (found === undefined) throw new Error(`there is no command ${command}`)
  return found.title
}

/** Fills in the open dialog, sends it, and reads the outcome. */
export async function carryOut(
  page: Page,
  command: string,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const title = titleOf(command)
  const dialog = page.getByRole('dialog', { name: title })
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value)
  await dialog.getByRole('button', { name: title, exact: true }).click()
  const text = await dialog.getByRole('status').innerText()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  return text
}

/** The first row with this text. */
export const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text }).first()
