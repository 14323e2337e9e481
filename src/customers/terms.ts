/** The settings of an exchange for persons who sign up themselves. */
import type { SignUpMode } from '../contract/customers/sign-up.ts'

export type CustomersConfig = {
  /** The RP id: the domain that passkeys are bound to (Web Authentication, 5.1.2). */
  readonly rpId: string
  /** The name of the exchange in browsers and emails. */
  readonly name: string
  /** The address of links in emails, without a path; the first of `origins`. */
  readonly origin: string
  /** The addresses that customers use, without a path: hosts of the RP id, or below it. */
  readonly origins: readonly string[]
  /** In a sandbox: emails are not sent, and addresses need not exist. */
  readonly isSandbox: boolean
  readonly signUp: SignUpMode
  readonly termsVersion: number
  /** The name of this process among several; undefined if it is the only one. */
  readonly processName?: string | undefined
  readonly sessionIdleMs: number
  readonly sessionLastsMs: number
}

/** The lifetime of a session. */
export const LASTING = {
  sessionIdleMs: 12 * 3_600_000,
  sessionLastsMs: 7 * 24 * 3_600_000,
} as const satisfies Partial<CustomersConfig>
