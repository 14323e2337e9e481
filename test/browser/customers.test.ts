/** A person signs up on a phone, with the keyboard: from the page to a filled order, without a pasted key. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { axeFindings } from './support/axe.ts'
import { nextTab, openMailed, Passkeys, PHONE, press, savedCodes, signUp } from './support/customer.ts'
import { pageFixture } from './support/fixture.ts'
import { openMenu } from './support/shown.ts'
import { notices, place } from './support/trading.ts'

setDefaultTimeout(300_000)

const fixture = pageFixture()

test('a person signs up with a passkey on a phone, fills an order, ends a session, and signs out', async () => {
  const { page } = await fixture.open('BTC/USDT', PHONE, { host: 'localhost' })
  const passkeys = await Passkeys.of(page)
  await passkeys.add()
  const [code = ''] = await signUp(fixture, page, 'jo@example.org')
  await fixture.place(fixture.bob, 'BTC/USDT', 'SELL', '0.01', '50000')
  await place(page, '50000', '0.01')
  await notices(page)
    .getByText(/filled/i)
    .first()
    .waitFor()
  // A browser that was closed lost its cookie, but still has the key.
  await page.context().clearCookies()
  await openMenu(page)
  await press(page, 'Account and security')
  await press(page, 'Sign in with a passkey')
  await nextTab(page, 'You have no API keys. You need none to trade on this page.')
  await nextTab(page, 'this session')
  await press(page, 'End all other sessions')
  await page.getByText('All other sessions have ended.').waitFor()
  expect(await fixture.operate<unknown[]>('session/list', {})).toHaveLength(1)
  expect(await axeFindings(page)).toEqual([])
  await nextTab(page, 'Session ended')
  expect(await axeFindings(page)).toEqual([])
  await nextTab(page, 'jo@example.org')
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await axeFindings(page)).toEqual([])
  await nextTab(page, 'Passkeys')
  await nextTab(page, 'Create an API key')
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
  await openMailed(fixture, page, '#recover=')
  await page.getByLabel('Recovery code').focus()
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
  await press(page, 'Create a passkey')
  await savedCodes(page)
  await page.locator('.trade-desk[data-live="true"]').waitFor()
  // Each mail about the account's safety has a link that freezes the account, but does not sign in.
  await openMailed(fixture, page, '#freeze=')
  await press(page, 'Freeze my account')
  await page.getByText('Your account is frozen.').waitFor()
  expect(await fixture.operate('session/list', {})).toEqual([])
  await press(page, 'Close')
})
