/**
 * The thread that has the connection to one customer database, for a process that waits for each answer. Its
 * first message contains its options.
 */
import { serveStatements } from '../../customers/store/postgres/connection-thread.ts'
import type { ThreadPlace } from '../../customers/store/postgres/messages.ts'
import type { CustomersPart } from '../../customers/store/postgres/schema.ts'
import type { DatabaseAddress } from '../node/storage/cluster-database.ts'
import { connectCustomers } from '../node/storage/customers-database.ts'

export type StoreWorkerStart = ThreadPlace & {
  readonly address: DatabaseAddress
  readonly part: CustomersPart
}

addEventListener('message', ({ data }: MessageEvent<StoreWorkerStart>) => void serve(data), { once: true })

function serve({ address, part, ...place }: StoreWorkerStart): Promise<void> {
  return serveStatements(place, {
    connect: (onLost) => connectCustomers(address, part, onLost),
    sleep: (ms) => Bun.sleep(ms),
  })
}
