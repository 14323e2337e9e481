/**
 * The layer that a composition other than an ordinary node inserts between clients and the gateway, and in
 * front of the operations of operators.
 */
import type { FaultControl } from '../../../server/admin/context.ts'
import type { ClientFront } from '../../../server/public/client-front.ts'

export type NodeFront = ClientFront & {
  /** Its operations for operators. */
  readonly faults: FaultControl
}
