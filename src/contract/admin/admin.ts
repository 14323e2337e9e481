/**
 * The contract of the admin server: operators' requests to a running node, and its answers. Every operation
 * is `POST /admin/v1/<operation>` with a JSON body and a bearer token. Decimals are text in the asset's own
 * units.
 */

import type { AdminReason } from '../reasons/catalogue.ts'
import { ACCOUNT_OPERATIONS } from './operations/accounts.ts'
import { ADMISSION_OPERATIONS } from './operations/admission.ts'
import { CUSTOMER_OPERATIONS, SESSION_KEY_OPERATIONS } from './operations/customers.ts'
import { EVENT_OPERATIONS } from './operations/events.ts'
import { FAULT_OPERATIONS } from './operations/faults.ts'
import { JOURNAL_OPERATIONS } from './operations/journal.ts'
import { KEY_OPERATIONS } from './operations/keys.ts'
import { LISTING_OPERATIONS } from './operations/listings.ts'
import { MONEY_OPERATIONS } from './operations/money.ts'
import { OWN_KEY_OPERATIONS } from './operations/own-keys.ts'
import { PEOPLE_OPERATIONS } from './operations/people.ts'
import { PHASE_OPERATIONS } from './operations/phases.ts'
import { REPORT_OPERATIONS } from './operations/reports.ts'
import { ROLE_OPERATIONS } from './operations/roles.ts'
import type { OperationRow, RequestOf, ResultOf } from './operations/row.ts'
import { SAFETY_OPERATIONS } from './operations/safety.ts'
import { SUPPORT_OPERATIONS } from './operations/support.ts'
import { WEBHOOK_OPERATIONS } from './operations/webhooks.ts'
import { WITHDRAWAL_OPERATIONS } from './operations/withdrawals.ts'

/**
 * The path of the numbered feed for programs (docs/reference/events.md), under `ADMIN_PATH`: a GET, or a
 * WebSocket.
 */
export const EVENTS_PATH = 'events'

/** The path of operations under the server's address. */
export const ADMIN_PATH = '/admin/v1/'

/**
 * The file in the data directory with the server's address and its token, for a local operator; mode 0600.
 */
export const ADMIN_FILE = 'admin.json'

/** Prefix of named tokens, so that a leaked one can be recognized. */
export const TOKEN_MARK = 'bourse_'

export type AdminAddress = {
  /** `http://127.0.0.1:<port>`: the admin server, for clients on this machine. */
  readonly url: string
  readonly token: string
  /**
   * `http://<host>:<port>` of health and metrics, which need no token; absent if an older node wrote the
   * file.
   */
  readonly monitoringUrl?: string
  /** Process id of the node that wrote the file; undefined if there is no such file. */
  readonly pid: number | undefined
}

/** Every operation: its request, its answer, its nature, and its texts. */
const ROWS = {
  ...LISTING_OPERATIONS,
  ...PHASE_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...SESSION_KEY_OPERATIONS,
  ...CUSTOMER_OPERATIONS,
  ...PEOPLE_OPERATIONS,
  ...ADMISSION_OPERATIONS,
  ...OWN_KEY_OPERATIONS,
  ...SUPPORT_OPERATIONS,
  ...KEY_OPERATIONS,
  ...MONEY_OPERATIONS,
  ...WITHDRAWAL_OPERATIONS,
  ...ROLE_OPERATIONS,
  ...SAFETY_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...REPORT_OPERATIONS,
  ...FAULT_OPERATIONS,
  ...JOURNAL_OPERATIONS,
}
type Rows = typeof ROWS

export type AdminOperation = keyof Rows

export const OPERATION_ROWS: Readonly<Record<AdminOperation, OperationRow>> = ROWS
export const ADMIN_OPERATIONS = Object.keys(ROWS) as readonly AdminOperation[]

export type AdminRequests = { readonly [Operation in AdminOperation]: RequestOf<Rows[Operation]> }

/**
 * The conditions of a search, which can be combined. `from` and `to` are inclusive: each is an ISO time, or a
 * day, which means the start of that day.
 */
export type AdminAuditSearch = AdminRequests['audit/find']
export type AdminEventRequest = AdminRequests['event/list']

export type AdminResults = { readonly [Operation in AdminOperation]: ResultOf<Rows[Operation]> }

/** Operations whose answer is a text of any length, sent while it is produced. */
export type StreamedOperation = {
  [Operation in AdminOperation]: Rows[Operation] extends { readonly isStreamed: true } ? Operation : never
}[AdminOperation]

/** `reason` is stable; `field` names the invalid field of the request, if there is one. */
export type AdminError = {
  readonly reason: AdminReason
  readonly message: string
  readonly field?: string | undefined
}

export type AdminAnswer<Operation extends AdminOperation = AdminOperation> =
  | { readonly ok: true; readonly result: AdminResults[Operation] }
  | { readonly ok: false; readonly error: AdminError }
