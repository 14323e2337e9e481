/**
 * The contract of the admin server: what an operator asks of a running node and what it answers. Every operation is
 * `POST /admin/v1/<operation>` with a JSON body and a bearer token. Decimals are text in the asset's own units.
 */
import { ACCOUNT_OPERATIONS } from './admin-operations/accounts.ts'
import { EVENT_OPERATIONS } from './admin-operations/events.ts'
import { FAULT_OPERATIONS } from './admin-operations/faults.ts'
import { JOURNAL_OPERATIONS } from './admin-operations/journal.ts'
import { KEY_OPERATIONS } from './admin-operations/keys.ts'
import { LISTING_OPERATIONS } from './admin-operations/listings.ts'
import { MONEY_OPERATIONS } from './admin-operations/money.ts'
import { PHASE_OPERATIONS } from './admin-operations/phases.ts'
import { REPORT_OPERATIONS } from './admin-operations/reports.ts'
import { ROLE_OPERATIONS } from './admin-operations/roles.ts'
import type { OperationRow, RequestOf, ResultOf } from './admin-operations/row.ts'
import { SAFETY_OPERATIONS } from './admin-operations/safety.ts'
import { SUPPORT_OPERATIONS } from './admin-operations/support.ts'
import { WEBHOOK_OPERATIONS } from './admin-operations/webhooks.ts'
import { WITHDRAWAL_OPERATIONS } from './admin-operations/withdrawals.ts'
import type { AdminReason } from './reasons/catalogue.ts'

/** What programs read the numbered feed by (docs/reference/events.md), under `ADMIN_PATH`: a GET, or a WebSocket. */
export const EVENTS_PATH = 'events'

/** Where operations stand under the server's address. */
export const ADMIN_PATH = '/admin/v1/'

/** The file in the data directory with the server's address and its token, for a local operator; mode 0600. */
export const ADMIN_FILE = 'admin.json'

/** What named tokens begin with, so that one is known when it is found where it does not belong. */
export const TOKEN_MARK = 'bourse_'

export type AdminAddress = {
  /** `http://127.0.0.1:<port>`: the server for this machine. */
  readonly url: string
  readonly token: string
  /** `http://<host>:<port>` of health and metrics, which need no token; absent where an older node wrote the file. */
  readonly monitoringUrl?: string
  /** Process id of the node that wrote it; undefined where no file says it. */
  readonly pid: number | undefined
}

/** Every operation: what it takes, answers and does, and its words. */
const ROWS = {
  ...LISTING_OPERATIONS,
  ...PHASE_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
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

/** Each alone and all together; `from` and `to`: a day, which is its beginning, or an ISO time, both included. */
export type AdminAuditSearch = AdminRequests['audit/find']
export type AdminEventRequest = AdminRequests['event/list']

export type AdminResults = { readonly [Operation in AdminOperation]: ResultOf<Rows[Operation]> }

/** Those whose answer is a text of any length, sent as it is made. */
export type StreamedOperation = {
  [Operation in AdminOperation]: Rows[Operation] extends { readonly isStreamed: true } ? Operation : never
}[AdminOperation]

/** `reason` is stable; `field` names what was wrong in the request, where one field was. */
export type AdminError = {
  readonly reason: AdminReason
  readonly message: string
  readonly field?: string | undefined
}

export type AdminAnswer<Operation extends AdminOperation = AdminOperation> =
  | { readonly ok: true; readonly result: AdminResults[Operation] }
  | { readonly ok: false; readonly error: AdminError }
