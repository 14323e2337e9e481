/** The answer to a login (docs/reference/order-entry.md#login). */

import type { Uuid } from '../../units/ids.ts'
import { PERMISSIONS, type Permission } from '../../units/order-enums.ts'
import type { TimeMs } from '../../units/quantities.ts'
import {
  flag,
  listOf,
  named,
  object,
  optional,
  text,
  timeMs,
  uuid,
  whole,
  word,
} from '../../units/shapes/shape.ts'
import { jsonOf } from '../../units/shapes/shape-json.ts'
import { successBody, successHeads, successOf } from '../envelope.ts'
import type { Language } from '../language.ts'

const LOGGED_IN = successHeads({ en: 'Logged in.', tr: 'Giriş yapıldı.' })

const DATA = object({
  apiKey: text(),
  permissions: listOf(word(PERMISSIONS)),
  serverTime: timeMs(),
  session: optional(uuid()),
  graceMs: optional(whole()),
  resumed: optional(flag()),
})

export const LOGGED_IN_BODY = named('LoggedIn', 'The connection is logged in.', successOf(DATA))

export type LoggedIn = {
  readonly apiKey: string
  readonly permissions: readonly Permission[]
  readonly serverTime: TimeMs
  /** Present if the session cancels on disconnect. */
  readonly session: LoginSession | undefined
}

export type LoginSession = {
  readonly session: Uuid
  readonly graceMs: number
  /** Whether the login continues an earlier session. */
  readonly resumed: boolean
}

export function loggedInBody(
  { apiKey, permissions, serverTime, session }: LoggedIn,
  language: Language,
): string {
  const data = { apiKey, permissions, serverTime, ...session }
  return successBody(LOGGED_IN, language, jsonOf(DATA, data))
}
