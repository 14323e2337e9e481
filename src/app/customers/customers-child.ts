/** The customers' process of a node: it answers on a socket in the node's data directory. */
import { rmSync } from 'node:fs'
import { setPriority } from 'node:os'
import { OPERATORS_PATH } from '../../contract/customers/operator-questions.ts'
import { Store } from '../../customers/store/store.ts'
import type { Logger } from '../../server/common/logger.ts'
import { prepareStorage } from '../node/storage/storage.ts'
import { type ChildHost, EXIT_REPLACE, EXIT_STOPPED, runChild } from '../process/child.ts'
import { CustomersService, randomOf } from './customers-service.ts'
import { callOf, ExchangeClient } from './exchange-client.ts'
import { CUSTOMERS_COMMAND, type CustomersOrder, SECRET_HEADER, type StartCustomers } from './order.ts'

/** On an overloaded machine, trading has priority. */
export const NICE = 10

/** Resolves with the exit code. */
export const runCustomersChild = (host: ChildHost): Promise<number> =>
  runChild<CustomersOrder>(host, {
    command: CUSTOMERS_COMMAND,
    startedBy: 'a node',
    logFields: () => ({ process: 'customers' }),
    died: 'the customers process failed',
    run: async (start, log, orders) => {
      setPriority(NICE)
      const service = openService(start, log)
      for await (const order of orders) {
        if (order.kind !== 'stop') continue
        await service.stop()
        return EXIT_STOPPED
      }
      return EXIT_REPLACE
    },
  })

/** Throws `StoreFault`. */
function openService(start: StartCustomers, log: Logger): CustomersService {
  const { directory, config, mail, admin, secret, socketPath } = start
  prepareStorage()
  // A socket left by a killed process cannot be reused.
  rmSync(socketPath, { force: true })
  return new CustomersService({
    ...{ config, mail, log },
    store: Store.open({ directory, randomBytes: randomOf, rpId: config.rpId }),
    exchange: new ExchangeClient(callOf(admin)),
    // The node outlives this process, or ends it.
    lead: async () => 'node',
    listen: (service) =>
      Bun.serve({
        unix: socketPath,
        development: false,
        error: (err) => {
          log.error({ err }, 'a request from a customer failed')
          return new Response(null, { status: 500 })
        },
        fetch: (request) => {
          if (request.headers.get(SECRET_HEADER) !== secret) return new Response(null, { status: 403 })
          const { pathname } = new URL(request.url)
          return pathname.startsWith(OPERATORS_PATH)
            ? service.answerExchange(request)
            : service.answerCustomer(request)
        },
      }),
  })
}
