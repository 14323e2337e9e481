import { describe, expect, test } from 'bun:test'
import { signal } from '@preact/signals'
import { keptStorage, refusedStorage } from '../../../shared/browser-storage.fixture.ts'
import type { BrowserStorage } from '../../../shared/browser-storage.ts'
import { Consent, consentEntry } from './consent.ts'

const consentOf = (storage: BrowserStorage, apiKey: string | undefined = 'alice') =>
  new Consent(consentEntry(storage), signal(apiKey))

describe('consent', () => {
  test('is given to nothing at the first visit, and damaged storage gives none', () => {
    for (const kept of [
      {},
      { 'bourse-consent': '{"asksAlways":0,"oneClickKey":1}' },
      { 'bourse-consent': '{' },
    ]) {
      const consent = consentOf(keptStorage(kept).tab())
      expect([consent.asksAlways.value, consent.isOneClick.value]).toEqual([true, false])
    }
  })

  test('holds at the next visit and in every tab, and so does its withdrawal', () => {
    const browser = keptStorage()
    const [one, other] = [consentOf(browser.tab()), consentOf(browser.tab())]
    one.setAsksAlways(false)
    one.agreeToOneClick()
    for (const consent of [other, consentOf(browser.tab())])
      expect([consent.asksAlways.value, consent.isOneClick.value]).toEqual([false, true])
    other.endOneClick()
    expect([one.isOneClick.value, one.asksAlways.value]).toEqual([false, false])
  })

  test('to one-click trading belongs to one key alone', () => {
    const browser = keptStorage()
    consentOf(browser.tab()).agreeToOneClick()
    expect(consentOf(browser.tab(), 'bob').isOneClick.value).toBe(false)
    expect(new Consent(consentEntry(browser.tab()), signal(undefined)).isOneClick.value).toBe(false)
  })

  test('lasts as long as the tab where the browser has no storage', () => {
    const consent = consentOf(refusedStorage())
    consent.agreeToOneClick()
    expect(consent.isOneClick.value).toBe(true)
  })
})
