/**
 * Messages from the main process to the customers' process, as lines of JSON on its standard input: no
 * process list shows them, and the end of the input means that the main process has ended.
 */
import { OPERATORS_PATH } from '../../contract/customers/operator-questions.ts'
import type { CustomersConfig } from '../../customers/terms.ts'
import type { LogLevel } from '../settings/defaults.ts'
import type { SmtpSettings } from './smtp-transport.ts'

/** The hidden command that starts the customers process. */
export const CUSTOMERS_COMMAND = 'customers-child'

/** The address at which the process answers, and the secret that a request to it must contain. */
export type CustomersPlace = { readonly socketPath: string; readonly secret: string }

export type StartCustomers = CustomersPlace & {
  readonly kind: 'start'
  readonly logLevel: LogLevel
  /** The location of its files. */
  readonly directory: string
  /** The admin server for this machine, and the token of its role. */
  readonly admin: { readonly url: string; readonly token: string }
  readonly config: CustomersConfig
  /** Undefined if no email is sent. */
  readonly mail: SmtpSettings | undefined
}

export type CustomersOrder = StartCustomers | { readonly kind: 'stop' }

/**
 * Headers of a forwarded request that the main process sets; values that a client sends for them are dropped.
 */
export const SECRET_HEADER = 'x-bourse-secret'
export const ADDRESS_HEADER = 'x-bourse-address'
/**
 * In a cluster: the path at which a process confirms, to a holder of one of its secrets, that it answers; an
 * engine gets a `ProbeAnswer`.
 */
export const PROBE_PATH = '/probe'
/** In a cluster: the path at which an engine reports the epoch in which it leads. */
export const LEAD_PATH = '/lead'
/** The HTTP status of an answer from an engine that does not lead. */
export const NOT_LEADING = 421
/** The path at which the main process requests emails; no client's path begins with it. */
export const MAILS_PATH = `${OPERATORS_PATH}mails`
/** The path at which the main process requests a page of changes of the store, for a standby. */
export const CHANGES_PATH = `${OPERATORS_PATH}changes`
/** Header of an answer with a page of changes: whether the standby already had everything. */
export const HAS_ALL_HEADER = 'x-bourse-has-all'
