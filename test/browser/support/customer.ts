/** A person with a passkey, for the tests of the customer's own pages: by the keyboard. */
import { expect } from 'bun:test'
import type { CDPSession, Page } from 'playwright-core'
import type { AdminMail } from '../../../src/contract/admin/customers.ts'
import { axeFindings } from './axe.ts'
import type { Fixture } from './fixture.ts'
import { showView } from './shown.ts'

export const PHONE = { width: 390, height: 660 }

/** Passkeys of the page, which a person confirms at once. */
export class Passkeys {
  readonly #devtools: CDPSession

  private constructor(devtools: CDPSession) {
    this.#devtools = devtools
  }

  static async of(page: Page): Promise<Passkeys> {
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    return new Passkeys(devtools)
  }

  /** Adds a device; returns its id. */
  async add(transport: 'internal' | 'usb' = 'internal'): Promise<string> {
    const { authenticatorId } = await this.#devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport,
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return authenticatorId
  }

  /** Sets whether the person touches this device when a passkey is requested. */
  async setTouched(authenticatorId: string, enabled: boolean): Promise<void> {
    await this.#devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  }
}

/** Moves the focus to the element with this name, and presses it. */
export async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  // A button is disabled while the previous action is in progress.
  await button.click({ trial: true })
  await button.focus()
  await page.keyboard.press('Enter')
}

/** Types into the field of this name. */
export async function type(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).focus()
  await page.keyboard.type(text)
}

/** Chooses the next tab by the keyboard, and waits for its contents. */
export async function nextTab(page: Page, shows: string): Promise<void> {
  await page.getByRole('dialog').getByRole('tab', { selected: true }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('dialog').getByText(shows, { exact: true }).first().waitFor()
}

/** Confirms a step-up with a passkey; returns the text that it shows. */
export async function confirm(page: Page): Promise<string> {
  const text = page.locator('.account-text')
  await text.waitFor()
  const said = await text.innerText()
  await press(page, 'Confirm with a passkey')
  return said
}

/** Opens the newest mailed link of this kind, as from another program. */
export async function openMailed(fixture: Fixture, page: Page, fragment: string): Promise<void> {
  const mails = await fixture.operate<readonly AdminMail[]>('mail/list', { limit: 3 })
  const links = mails.flatMap(({ text }) => text.match(/http:\S+/g) ?? [])
  await page.goto('about:blank')
  await page.goto(links.find((link) => link.includes(fragment)) ?? '')
}

/** Marks the shown recovery codes as saved, and returns them. */
export async function savedCodes(page: Page): Promise<readonly string[]> {
  await page.getByText('Save these recovery codes').waitFor()
  expect(await axeFindings(page)).toEqual([])
  const codes = await page.locator('.account-codes code').allTextContents()
  expect(codes).toHaveLength(10)
  await press(page, 'I have saved them')
  return codes
}

/** Requests the email that opens an account, and opens its link. */
export async function confirmMail(fixture: Fixture, page: Page, mail: string): Promise<void> {
  await showView(page, 'Trade')
  await press(page, 'Sign in or sign up')
  await type(page, 'Email address', mail)
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByText('A sandbox sends no emails').waitFor()
  await openMailed(fixture, page, '#confirm=')
  await press(page, 'Confirm')
}

/** Signs up until the page can trade; returns the recovery codes. */
export async function signUp(fixture: Fixture, page: Page, mail: string): Promise<readonly string[]> {
  await confirmMail(fixture, page, mail)
  await press(page, 'Create a passkey')
  const codes = await savedCodes(page)
  await page.locator('.trade-desk[data-live="true"]').waitFor()
  return codes
}
