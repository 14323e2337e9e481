/** Every endpoint of the customer interface by its path under `/account/v1/`. */
import { DATA_ROWS } from './data.ts'
import { FACTOR_ROWS } from './factors.ts'
import { FREEZE_ROWS } from './freeze.ts'
import { MAIL_ROWS } from './mail.ts'
import { OWN_KEY_ROWS } from './own-keys.ts'
import { RECOVERY_ROWS } from './recovery.ts'
import type { AccountRow, BodyIn, DataOf } from './row.ts'
import { SESSION_ROWS } from './sessions.ts'
import { SIGN_UP_ROWS } from './sign-up.ts'
import { STEP_UP_ROWS } from './step-up.ts'

const ROWS = {
  ...SIGN_UP_ROWS,
  ...SESSION_ROWS,
  ...STEP_UP_ROWS,
  ...FACTOR_ROWS,
  ...RECOVERY_ROWS,
  ...FREEZE_ROWS,
  ...DATA_ROWS,
  ...OWN_KEY_ROWS,
  ...MAIL_ROWS,
}
type Rows = typeof ROWS

export type AccountEndpoint = keyof Rows

export const ACCOUNT_ROWS: Readonly<Record<AccountEndpoint, AccountRow>> = ROWS

/** The endpoints with their types, for the functions that answer them. */
export const TYPED_ACCOUNT_ROWS = ROWS

export type AccountBody<Name extends AccountEndpoint> = BodyIn<Rows[Name]>
export type AccountData<Name extends AccountEndpoint> = DataOf<Rows[Name]>

/** The header with the token that belongs to the cookie. */
export const CSRF_HEADER = 'X-CSRF-Token'

/** The header with the token of a step-up. */
export const STEP_UP_HEADER = 'X-Step-Up'

/** Longest body. */
export const ACCOUNT_BODY_BYTES_MAX = 16 * 1024
