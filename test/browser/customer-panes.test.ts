/** The panes of a customer's account on a phone, by the keyboard: one journey for each. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import type { AdminMail } from '../../src/contract/admin/customers.ts'
import { signed } from '../support/bourse-process.ts'
import { axeFindings } from './support/axe.ts'
import {
  confirm,
  confirmMail,
  openMailed,
  Passkeys,
  PHONE,
  press,
  savedCodes,
  signUp,
  type,
} from './support/customer.ts'
import { expectSoon } from './support/expect-soon.ts'
import { pageFixture } from './support/fixture.ts'
import { openMenu } from './support/shown.ts'

setDefaultTimeout(300_000)

const fixture = pageFixture()

/** Opens the page of a person on a phone who is signed in. */
async function person(mail: string) {
  const { page, takeComplaints } = await fixture.open('BTC/USDT', PHONE, { host: 'localhost' })
  const passkeys = await Passkeys.of(page)
  const device = await passkeys.add()
  await signUp(fixture, page, mail)
  return { page, takeComplaints, passkeys, device }
}

async function openPane(page: Page, tab: string): Promise<void> {
  await openMenu(page)
  await press(page, 'Account and security')
  const chosen = page.getByRole('dialog').getByRole('tab', { selected: true })
  await chosen.focus()
  for (let moves = 0; moves < 5 && (await chosen.innerText()) !== tab; moves++)
    await page.keyboard.press('ArrowRight')
  await expectSoon(() => chosen.innerText(), tab)
}

/** Waits for the outcome of the last action, which has the focus. */
async function outcome(page: Page, text: string): Promise<void> {
  await page.locator('.account-done:focus', { hasText: text }).waitFor()
}

/** A code of the app that has not been used yet: that of a later step, since a clock may be ahead. */
function codeOf(secret: string, stepsAhead: number): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return totp.generate({ timestamp: Date.now() + stepsAhead * 30_000 })
}

test('a key with the least rights is made in the menu, shows its secret once, reads, and is ended', async () => {
  const { page } = await person('keys@example.org')
  await openMenu(page)
  await press(page, 'API keys')
  await page.getByText('You have no API keys.').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await press(page, 'Create an API key')
  await press(page, 'Create key')
  await page.getByText('Enter a name of 1 to 40 characters.').waitFor()
  expect(await page.getByLabel('Name', { exact: true }).evaluate((field) => field.matches(':focus'))).toBe(
    true,
  )
  await page.keyboard.type('portfolio app')
  await type(page, 'IP addresses (recommended)', 'here')
  expect(await axeFindings(page)).toEqual([])
  await press(page, 'Create key')
  await page.getByText('Enter addresses or ranges such as').waitFor()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('127.0.0.1, 10.0.0.0/8')
  await press(page, 'Create key')
  await page.locator('.account-text').waitFor()
  expect(await axeFindings(page)).toEqual([])
  // The form keeps its values if the person cancels.
  await page.keyboard.press('Escape')
  await press(page, 'Create key')
  const said = await confirm(page)
  expect(said).toContain(
    '"portfolio app", which may read orders. It works from only these addresses: 127.0.0.1, 10.0.0.0/8,',
  )
  await page.getByText('The key portfolio app is ready').waitFor()
  expect(await axeFindings(page)).toEqual([])
  const [apiKey = '', secret = ''] = await page.locator('.account-secret').allInnerTexts()
  const program = { name: 'portfolio app', apiKey, secret }
  const read = () => signed(fixture.baseUrl, program, 'GET', 'openOrders', { symbol: 'BTC/USDT' })
  expect((await read()).status).toBe(200)
  const order = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' }
  const refused = await signed(fixture.baseUrl, program, 'POST', 'order', order)
  expect(await refused.json()).toMatchObject({ reason: 'PERMISSION_DENIED' })
  await press(page, 'I have saved the secret')
  await page.getByText('127.0.0.1, 10.0.0.0/8').waitFor()
  expect(await page.content()).not.toContain(secret)
  expect(await axeFindings(page)).toEqual([])
  await press(page, 'Revoke key portfolio app')
  await page.getByText('Revoke the key portfolio app?').waitFor()
  await press(page, 'Revoke key')
  await outcome(page, 'The key portfolio app has been revoked.')
  await page.getByText('You have no API keys.').waitFor()
  expect(await (await read()).json()).toMatchObject({ reason: 'KEY_DISABLED' })
})

test('a second passkey is added under a name and renamed, and the first one is removed', async () => {
  const { page, passkeys, device } = await person('passkeys@example.org')
  await openPane(page, 'Security')
  await page.getByText('This is your only way to sign in.').waitFor()
  const other = await passkeys.add('usb')
  await passkeys.setTouched(other, false)
  // The person confirms with the first device, and touches the second one for the new passkey.
  await page.route('**/account/v1/passkey/register/begin', async (route) => {
    await passkeys.setTouched(device, false)
    await passkeys.setTouched(other, true)
    await route.continue()
  })
  await press(page, 'Add a passkey')
  await type(page, 'Name (optional)', 'blue key')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Enter')
  expect(await confirm(page)).toContain('Add another passkey')
  await outcome(page, 'The passkey has been added.')
  await expectSoon(() => page.getByRole('button', { name: /^Remove the passkey/ }).count(), 2)
  expect(await axeFindings(page)).toEqual([])
  const [first = ''] = await page.locator('.account-list strong', { hasNotText: 'blue key' }).allInnerTexts()
  await press(page, `Remove the passkey ${first}`)
  expect(await confirm(page)).toContain(`Remove the passkey "${first}"`)
  await outcome(page, 'The passkey has been removed')
  await page.getByText('This is your only way to sign in.').waitFor()
  await press(page, 'Rename the passkey blue key')
  expect(await axeFindings(page)).toEqual([])
  // The previous name is selected, so that typing replaces it.
  await page.keyboard.type('key ring')
  await page.keyboard.press('Enter')
  await outcome(page, 'The passkey has been renamed.')
  await expectSoon(() => page.locator('.account-list strong').allInnerTexts(), ['key ring'])
})

test('a password with an app is set up, signs in, confirms, and is removed; new recovery codes are made', async () => {
  const { page, takeComplaints } = await person('password@example.org')
  await openPane(page, 'Security')
  await press(page, 'Set up a password')
  await type(page, 'New password', 'password1234')
  await page.keyboard.press('Enter')
  await confirm(page)
  // The exchange refuses a password that guessers try first.
  await page.locator('.trade-problem:focus').waitFor()
  expect(takeComplaints().join('\n')).toContain('password/set 400')
  const password = 'four unrelated kettles hum'
  await page.getByLabel('New password', { exact: true }).focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.type(password)
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Enter')
  await confirm(page)
  await outcome(page, 'The password has been saved.')
  await press(page, 'Show the code for the app')
  await confirm(page)
  await page.locator('svg.account-qr path').waitFor()
  expect(await axeFindings(page)).toEqual([])
  const secret = (await page.locator('.account-secret').innerText()).replaceAll(' ', '')
  await type(page, 'Code from the app', codeOf(secret, -1))
  await page.keyboard.press('Enter')
  await outcome(page, 'The app is set up.')
  await page.getByText('Both are set up.').waitFor()
  await page.keyboard.press('Escape')
  await (await openMenu(page)).getByRole('button', { name: 'Sign out' }).click()
  await press(page, 'Sign in or sign up')
  await press(page, 'Sign in with a password')
  await type(page, 'Email address', 'password@example.org')
  await type(page, 'Password', password)
  await type(page, 'Code from the app', codeOf(secret, 0))
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.locator('.trade-desk[data-live="true"]').waitFor()
  await openPane(page, 'Security')
  await page.getByText('Codes left: 10').waitFor()
  await press(page, 'Create new recovery codes')
  await page.locator('.account-text').waitFor()
  await press(page, 'Use the password instead')
  await type(page, 'Password', password)
  await type(page, 'Code from the app', codeOf(secret, 1))
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Enter')
  await savedCodes(page)
  await press(page, 'Remove both')
  expect(await confirm(page)).toContain('Remove the password and the authenticator app')
  await outcome(page, 'The password and the app have been removed.')
})

test('an account is opened without a passkey, by a password and an app', async () => {
  const { page } = await fixture.open('BTC/USDT', PHONE, { host: 'localhost' })
  await confirmMail(fixture, page, 'none@example.org')
  await press(page, 'Use a password and an app instead')
  await type(page, 'New password', 'seven quiet lamps wander')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.locator('svg.account-qr path').waitFor()
  expect(await axeFindings(page)).toEqual([])
  const secret = (await page.locator('.account-secret').innerText()).replaceAll(' ', '')
  await type(page, 'Code from the app', codeOf(secret, 0))
  await page.keyboard.press('Enter')
  await savedCodes(page)
  await page.locator('.trade-desk[data-live="true"]').waitFor()
})

test('the history asks for confirmation after five minutes, and the data is saved as a file, then erased', async () => {
  const { page, takeComplaints } = await person('data@example.org')
  // The exchange answers this when the sign-in was too long ago.
  let asked = 0
  await page.route('**/account/v1/history', (route) =>
    asked++ > 0
      ? route.continue()
      : route.fulfill({
          status: 403,
          json: { status: false, code: '4001', reason: 'STEP_UP_NEEDED', msg: [] },
        }),
  )
  await openPane(page, 'History')
  await page.getByText('To see the history, confirm again that it is you.').waitFor()
  expect(takeComplaints().join('\n')).toContain('history 403')
  expect(await axeFindings(page)).toEqual([])
  await press(page, 'Show the history')
  expect(await confirm(page)).toContain('Show the history of your account.')
  await page.getByText('Account opened').waitFor()
  await page.keyboard.press('Escape')
  await openPane(page, 'Data')
  await page.getByText('data@example.org').waitFor()
  expect(await axeFindings(page)).toEqual([])
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Save my data')])
  const saved = JSON.parse(readFileSync(await download.path(), 'utf8')) as { readonly account: string }
  expect(saved).toMatchObject({ mail: 'data@example.org', passkeys: [{}], sessions: [{}] })
  expect(download.suggestedFilename()).toBe(`${saved.account}.json`)
  await outcome(page, 'Your data has been saved')
  await press(page, 'Erase my data')
  await page.getByText('Erase your data permanently?').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await press(page, 'Continue')
  expect(await confirm(page)).toContain('Erase your data permanently.')
  await page.getByText('Your data has been erased.').waitFor()
  expect(await axeFindings(page)).toEqual([])
  expect(await fixture.operate('customer/list', {})).not.toContainEqual(
    expect.objectContaining({ account: saved.account }),
  )
  await press(page, 'Close')
  await page.getByRole('button', { name: 'Sign in or sign up' }).waitFor()
})

test('a freeze in the account ends the session, and trading stops', async () => {
  const { page } = await person('frozen@example.org')
  await openPane(page, 'Security')
  await press(page, 'Freeze account')
  await page.getByText('Freeze your account?').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await press(page, 'Do not freeze')
  await press(page, 'Freeze account')
  await press(page, 'Freeze now')
  await page.getByText('Your account is frozen.').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await press(page, 'Close')
  await page.getByRole('button', { name: 'Sign in or sign up' }).waitFor()
})

test('a phrase and another email address are set, and a requested recovery is stopped', async () => {
  const { page } = await person('before@example.org')
  await openPane(page, 'Data')
  await press(page, 'Set a phrase')
  await type(page, 'Phrase', 'blue herons')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Enter')
  expect(await confirm(page)).toContain('"blue herons"')
  await outcome(page, 'The phrase is set')
  await page.getByText('Your phrase: blue herons').waitFor()
  await press(page, 'Change email address')
  await type(page, 'New email address', 'after@example.org')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Enter')
  expect(await confirm(page)).toContain('to after@example.org')
  await outcome(page, 'A sandbox sends no emails')
  const [mail] = await fixture.operate<readonly AdminMail[]>('mail/list', { limit: 1 })
  expect(mail?.text).toContain('blue herons')
  await openMailed(fixture, page, '#mail=')
  await page.getByText('Confirm that this email address is yours').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await press(page, 'Use this address')
  await page.getByText('Your account has the new email address.').waitFor()
  await press(page, 'Close')
  const other = (await fixture.open('BTC/USDT', PHONE, { host: 'localhost' })).page
  await openMenu(other)
  await press(other, 'Sign in or sign up')
  await press(other, 'Lost your passkey, or account frozen?')
  await type(other, 'Email address', 'after@example.org')
  await other.keyboard.press('Enter')
  await other.getByText('A sandbox sends no emails').waitFor()
  await openMailed(fixture, other, '#recover=')
  await press(other, 'I have no recovery code')
  expect(await axeFindings(other)).toEqual([])
  await press(other, 'Ask the operators')
  await other.getByText('The operators have been asked.').waitFor()
  await openPane(page, 'Data')
  await page.getByText('after@example.org').waitFor()
  await page.getByText('someone asked the operators to recover this account').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await press(page, 'Stop it')
  await outcome(page, 'Stopped.')
  expect(await page.locator('.account-warning').count()).toBe(0)
})

test('the page says in each mode of sign-up who may sign up', async () => {
  const { page } = await fixture.open('BTC/USDT', PHONE, { host: 'localhost' })
  const modes = {
    CLOSED: 'Sign-up is closed.',
    INVITATION: 'You need an invitation from this exchange.',
    APPROVAL: 'The operator of this exchange approves each new account',
    OPEN: 'By signing up you agree to the terms of this exchange.',
  }
  for (const [signUp, text] of Object.entries(modes)) {
    await page.route('**/account/v1/config', async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as { readonly data: object }
      await route.fulfill({ response, json: { ...answer, data: { ...answer.data, signUp } } })
    })
    await openMenu(page)
    await press(page, 'Sign in or sign up')
    await page.getByText(text).waitFor()
    expect(await axeFindings(page)).toEqual([])
    const count = (name: string) => page.getByLabel(name, { exact: true }).count()
    expect([await count('Email address'), await count('Invitation')]).toEqual([
      signUp === 'CLOSED' ? 0 : 1,
      signUp === 'INVITATION' ? 1 : 0,
    ])
    await page.keyboard.press('Escape')
    await page.unrouteAll()
  }
})
