/**
 * A process that works on a store at the same time as others. Arguments: port of the server, owner of a
 * person, id of an invitation, number of rounds. Prints how many times the invitation was accepted.
 */
import { randomBytes } from 'node:crypto'
import { openClusterStore } from '../../../src/app/customers/cluster-store.ts'
import type { CustomersPart } from '../../../src/customers/store/postgres/schema.ts'
import { CUSTOMERS_FORMS } from '../../../src/customers/store/postgres/schema.ts'

const [port = '', owner = '', invitation = '', rounds = ''] = process.argv.slice(2)
const address = (part: CustomersPart) => ({
  ...{ host: '127.0.0.1', port: Number(port), database: 'postgres', user: CUSTOMERS_FORMS[part].role },
  ...{ password: undefined, tls: undefined, timeoutMs: 5_000 },
})
const store = openClusterStore({
  ...{ store: address('store'), keys: address('keys'), rpId: 'localhost' },
  randomBytes: (size) => new Uint8Array(randomBytes(size)),
})
const nowMs = Date.now()
let used = 0
for (let i = 0; i < Number(rounds); i++) {
  const isUsed = store.atOnce(() => {
    store.records.note(owner, 'SIGNED_IN', { device: `round ${i}`, network: '' }, nowMs)
    store.marks.want(owner)
    return store.invitations.use(invitation, nowMs)
  })
  if (isUsed) used++
}
store.close()
process.stdout.write(String(used))
