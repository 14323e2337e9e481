/** What a composition that is no ordinary node puts before it: between clients and the gateway, and on the operators' desk. */
import type { FaultDesk } from '../../gateway/admin/context.ts'
import type { ClientFront } from '../../gateway/public/client-front.ts'

export type NodeFront = ClientFront & {
  /** What operators ask of it. */
  readonly faults: FaultDesk
}
