/** The answer to a login (docs/reference/order-entry.md#login). */
import type { Permission } from '../units/order-words.ts'
import type { TimeMs } from '../units/quantities.ts'
import { successBody, successHeads } from './envelope.ts'
import type { Language } from './language.ts'

const LOGGED_IN = successHeads({ en: 'Logged in.', tr: 'Giriş yapıldı.' })

export type LoggedIn = {
  readonly apiKey: string
  readonly permissions: readonly Permission[]
  readonly serverTime: TimeMs
}

export function loggedInBody({ apiKey, permissions, serverTime }: LoggedIn, language: Language): string {
  const data = `{"apiKey":${JSON.stringify(apiKey)},"permissions":${JSON.stringify(permissions)},"serverTime":${serverTime}}`
  return successBody(LOGGED_IN, language, data)
}
