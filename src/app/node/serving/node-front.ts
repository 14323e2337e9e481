/** What a composition that is no ordinary node puts before it: between clients and the gateway, and on the operators' desk. */
import type { FaultDesk } from '../../../server/admin/context.ts'
import type { ClientFront } from '../../../server/public/client-front.ts'

export type NodeFront = ClientFront & {
  /** What operators ask of it. */
  readonly faults: FaultDesk
}
