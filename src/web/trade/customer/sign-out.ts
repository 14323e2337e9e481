/** Ends the session whose key the page uses for trading. */
import { shownLanguage } from '../../shared/texts/texts.ts'
import type { KeyHolder } from '../key/key-holder.ts'
import type { KeptKey } from '../key/key-store.ts'

/** Names of session keys have their own format (docs/reference/account.md#session-keys). */
export function isOfSession({ apiKey }: KeptKey): boolean {
  return /^s-[a-z2-7]{26}$/.test(apiKey)
}

/**
 * Ends the session at the exchange, and forgets its key in this browser, regardless of the exchange's
 * answer.
 */
export async function signOut(holder: KeyHolder): Promise<void> {
  try {
    // Fetched when it is needed: the first view of the page has no other use for it.
    const { AccountApi } = await import('./account-api.ts')
    const api = new AccountApi(shownLanguage)
    await api.config()
    await api.post('logout')
  } catch {
    // The session has already ended, or will end by itself: the key is removed here in any case.
  }
  await holder.forget()
}
