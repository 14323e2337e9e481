/** The answer to a login (docs/reference/order-entry.md#login). */
import type { Uuid } from '../units/ids.ts'
import type { Permission } from '../units/order-words.ts'
import type { TimeMs } from '../units/quantities.ts'
import { successBody, successHeads } from './envelope.ts'
import type { Language } from './language.ts'

const LOGGED_IN = successHeads({ en: 'Logged in.', tr: 'Giriş yapıldı.' })

export type LoggedIn = {
  readonly apiKey: string
  readonly permissions: readonly Permission[]
  readonly serverTime: TimeMs
  /** Where it cancels on disconnect. */
  readonly session: LoginSession | undefined
}

export type LoginSession = {
  readonly session: Uuid
  readonly graceMs: number
  /** Whether the login goes on with a session of before. */
  readonly resumed: boolean
}

export function loggedInBody(
  { apiKey, permissions, serverTime, session }: LoggedIn,
  language: Language,
): string {
  const data = { apiKey, permissions, serverTime, ...session }
  return successBody(LOGGED_IN, language, JSON.stringify(data))
}
