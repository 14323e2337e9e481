/** A person comes in on a phone, by the keyboard: from the page to a filled order, without a pasted key. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { AdminMail } from '../../src/contract/admin/customers.ts'
import { axeFindings } from './support/axe.ts'
import { pageFixture } from './support/fixture.ts'
import { openMenu, showView } from './support/shown.ts'
import { notices, place } from './support/trading.ts'

setDefaultTimeout(300_000)

const fixture = pageFixture()
const PHONE = { width: 390, height: 660 }

/** Moves the keyboard's place to what has this name, and presses it. */
async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  await button.waitFor()
  await button.focus()
  await page.keyboard.press('Enter')
}

/** Chooses the next tab by the keyboard, and waits for what it shows. */
async function nextTab(page: Page, shows: string): Promise<void> {
  await page.getByRole('dialog').getByRole('tab', { selected: true }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('dialog').getByText(shows, { exact: true }).first().waitFor()
}

/** Opens the link of this kind in the newest mail, as from another program. */
async function openMailed(page: Page, fragment: string): Promise<void> {
  const [mail] = await fixture.operate<readonly AdminMail[]>('mail/list', { limit: 1 })
  const links = (mail?.text ?? '').match(/http:\S+/g) ?? []
  await page.goto('about:blank')
  await page.goto(links.find((link) => link.includes(fragment)) ?? '')
}

/** The recovery codes that are shown, once they are said to be saved. */
async function savedCodes(page: Page): Promise<readonly string[]> {
  await page.getByText('Save these recovery codes').waitFor()
  expect(await axeFindings(page)).toEqual([])
  const codes = await page.locator('.account-codes code').allTextContents()
  expect(codes).toHaveLength(10)
  await press(page, 'I have saved them')
  return codes
}

test('a person signs up with a passkey on a phone, fills an order, ends a session, and signs out', async () => {
  const { page } = await fixture.open('BTC/USDT', PHONE, { host: 'localhost' })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await showView(page, 'Trade')
  await press(page, 'Sign in or sign up')
  await page.getByLabel('Email address').focus()
  await page.keyboard.type('jo@example.org')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByText('A sandbox sends no emails').waitFor()
  await openMailed(page, '#confirm=')
  await press(page, 'Confirm')
  await press(page, 'Create a passkey')
  const [code = ''] = await savedCodes(page)
  await page.locator('.trade-desk[data-live="true"]').waitFor()
  await fixture.place(fixture.bob, 'BTC/USDT', 'SELL', '0.01', '50000')
  await place(page, '50000', '0.01')
  await notices(page)
    .getByText(/filled/i)
    .first()
    .waitFor()
  // A browser that was closed has lost its cookie, and still has the key.
  await page.context().clearCookies()
  await openMenu(page)
  await press(page, 'Account and security')
  await press(page, 'Sign in with a passkey')
  await press(page, 'End all other sessions')
  await page.getByText('All other sessions have ended.').waitFor()
  expect(await fixture.operate<unknown[]>('session/list', {})).toHaveLength(1)
  expect(await axeFindings(page)).toEqual([])
  await nextTab(page, 'Session ended')
  expect(await axeFindings(page)).toEqual([])
  await nextTab(page, 'jo@example.org')
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await axeFindings(page)).toEqual([])
  await nextTab(page, 'this session')
  await press(page, 'Sign out')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Sign in or sign up' }).waitFor()
  expect(await fixture.operate('session/list', {})).toEqual([])
  await press(page, 'Sign in or sign up')
  await press(page, 'Lost your passkey, or account frozen?')
  await page.getByLabel('Email address').focus()
  await page.keyboard.type('jo@example.org')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByText('A sandbox sends no emails').waitFor()
  await openMailed(page, '#recover=')
  await page.getByLabel('Recovery code').focus()
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
  await press(page, 'Create a passkey')
  await savedCodes(page)
  await page.locator('.trade-desk[data-live="true"]').waitFor()
  // Each mail about the account's safety has a link that freezes it and opens nothing.
  await openMailed(page, '#freeze=')
  await press(page, 'Freeze my account')
  await page.getByText('Your account is frozen.').waitFor()
  expect(await fixture.operate('session/list', {})).toEqual([])
  await press(page, 'Close')
})
