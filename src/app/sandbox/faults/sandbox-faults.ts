/**
 * Assembles the faults of a sandbox: the operators' requests for them, and the layers in front of HTTP,
 * stream and engine.
 */

import type { AdminFault } from '../../../contract/admin/operations/faults.ts'
import { isoTime } from '../../../contract/time.ts'
import type { FaultControl } from '../../../server/admin/context.ts'
import type { Logger } from '../../../server/common/logger.ts'
import { timeMs } from '../../../units/quantities.ts'
import type { NodeViews } from '../../node/views.ts'
import { DEMO_ACCOUNTS } from '../demo/accounts.ts'
import { EngineFaults } from './engine-faults.ts'
import { type Fault, FaultTable } from './fault-table.ts'
import { HttpFaults } from './http-faults.ts'
import type { Observer } from './observer.ts'
import { StreamFaults } from './stream-faults.ts'

export type SandboxFaultsOptions = {
  readonly log: Logger
  readonly monotonicMs: () => number
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  readonly observe?: Observer | undefined
}

export class SandboxFaults {
  readonly #options: SandboxFaultsOptions
  readonly table: FaultTable
  readonly http: HttpFaults
  readonly stream: StreamFaults
  readonly engine: EngineFaults
  #views: Pick<NodeViews, 'market' | 'accounts'> | undefined

  constructor(options: SandboxFaultsOptions) {
    this.#options = options
    const { log, monotonicMs, sleep, observe } = options
    const table = new FaultTable({
      monotonicMs,
      spared: new Set(DEMO_ACCOUNTS),
      onEnded: ({ number, request: { kind }, struck }) =>
        log.info({ fault: number, kind, struck }, 'a fault has ended'),
    })
    const accountOf = (apiKey: string) => this.#accountOf(apiKey)
    this.table = table
    this.http = new HttpFaults({ table, accountOf, monotonicMs, sleep, observe })
    this.stream = new StreamFaults({ table, accountOf, monotonicMs, sleep, observe })
    this.engine = new EngineFaults({
      table,
      accountName: (id) => this.#views?.market.registry.account(id)?.name,
      symbolName: (id) => this.#views?.market.registry.symbol(id)?.name,
    })
  }

  /** Called when the node has recovered: names of accounts and symbols are available. */
  begin(views: Pick<NodeViews, 'market' | 'accounts'>): void {
    this.#views = views
  }

  /** Whether requests are observed. */
  get isWatching(): boolean {
    return !this.table.isEmpty || this.http.hasAskedForPatience || this.#options.observe !== undefined
  }

  readonly control: FaultControl = {
    list: () => this.table.list().map((fault) => this.#shown(fault)),
    add: (request, actor) => {
      const fault = this.table.add(request)
      if (fault === undefined) return undefined
      this.#options.log.warn({ fault: fault.number, ...request, actor }, 'a fault was injected')
      return this.#shown(fault)
    },
    clear: (number, actor) => {
      const cleared = this.table.clear(number)
      if (this.table.isEmpty) this.http.forget()
      if (cleared > 0) this.#options.log.info({ cleared, fault: number, actor }, 'faults were cleared')
      return cleared
    },
  }

  #accountOf(apiKey: string): string | undefined {
    const { registry } = this.#views?.market ?? {}
    const key = registry?.apiKey(apiKey)
    return key === undefined ? undefined : registry?.account(key.accountId)?.name
  }

  #shown({ number, request, struck, endsAtMs }: Fault): AdminFault {
    const { monotonicMs, now } = this.#options
    const until =
      endsAtMs === undefined ? null : isoTime(timeMs(Math.round(now() + endsAtMs - monotonicMs())))
    return { ...request, number, struck, until }
  }
}
