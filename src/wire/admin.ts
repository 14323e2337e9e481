/**
 * The contract of the admin server: what an operator asks of a running node and what it answers. Every operation is
 * `POST /admin/v1/<operation>` with a JSON body and a bearer token. Decimals are text in the asset's own units.
 */
import type { AccountOperations } from './admin-operations/accounts.ts'
import type { EventOperations } from './admin-operations/events.ts'
import type { KeyOperations } from './admin-operations/keys.ts'
import type { ListingOperations } from './admin-operations/listings.ts'
import type { NodeOperations } from './admin-operations/node.ts'
import type { OperatorOperations } from './admin-operations/operators.ts'
import type { OrderOperations } from './admin-operations/orders.ts'
import type { PhaseOperations } from './admin-operations/phases.ts'
import type { ReportOperations } from './admin-operations/reports.ts'
import type { TransferOperations } from './admin-operations/transfers.ts'
import type { WithdrawalOperations } from './admin-operations/withdrawals.ts'
import type { AdminReason } from './reasons/catalogue.ts'

/** What programs read the numbered feed by (docs/reference/events.md), under `ADMIN_PATH`: a GET, or a WebSocket. */
export const EVENTS_PATH = 'events'

/** Those whose answer is a text of any length, sent as it is made. One that could not be made whole breaks off; a refusal is JSON as everywhere. */
export const STREAMED_OPERATIONS = ['report/show', 'liabilities/show'] as const
export type StreamedOperation = (typeof STREAMED_OPERATIONS)[number]

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

/** Each with what it takes and what it answers. */
type AdminOperations = ListingOperations &
  PhaseOperations &
  OrderOperations &
  AccountOperations &
  KeyOperations &
  TransferOperations &
  WithdrawalOperations &
  OperatorOperations &
  NodeOperations &
  EventOperations &
  ReportOperations

export type AdminOperation = keyof AdminOperations

export type AdminRequests = { [Operation in AdminOperation]: AdminOperations[Operation]['request'] }

export type AdminResults = { [Operation in AdminOperation]: AdminOperations[Operation]['result'] }

/** `reason` is stable; `field` names what was wrong in the request, where one field was. */
export type AdminError = {
  readonly reason: AdminReason
  readonly message: string
  readonly field?: string | undefined
}

export type AdminAnswer<Operation extends AdminOperation = AdminOperation> =
  | { readonly ok: true; readonly result: AdminResults[Operation] }
  | { readonly ok: false; readonly error: AdminError }
