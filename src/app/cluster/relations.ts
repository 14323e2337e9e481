/** Rules between the parts of a cluster file. */
import { isLoopback } from '../../server/listener/loopback.ts'
import { type ClusterFile, COUNT, HEARTBEATS_IN_SILENCE, type LinkAddress } from './schema.ts'

/** The problem, and the path in the file. */
export type Contradiction = { readonly path: readonly string[]; readonly sentence: string }

export function contradictionsOf(file: ClusterFile): readonly Contradiction[] {
  return [
    ...ofDatabase(file),
    ...ofLeadership(file),
    ...ofLinks(file),
    ...ofCustomers(file),
    ...ofTheirStore(file),
    ...twice(file, 'name', ({ name }) => name),
    ...twice(file, 'link', (member) => ('link' in member ? addressOf(member.link) : undefined)),
  ]
}

/** The address as written in the file. */
export function addressOf(link: LinkAddress): string {
  switch (link.kind) {
    case 'SOCKET':
      return link.path
    case 'TCP':
      return link.host.includes(':') ? `[${link.host}]:${link.port}` : `${link.host}:${link.port}`
  }
}

function ofDatabase({ database, durability }: ClusterFile): Contradiction[] {
  const wrong: Contradiction[] = []
  if (database.tls === 'off' && !isLoopback(database.host)) {
    const sentence = `expected "on": ${database.host} is not known to be this machine`
    wrong.push({ path: ['database', 'tls'], sentence })
  }
  if (durability.kind === 'quorum' && durability.confirmations > durability.standbys.length) {
    const { confirmations, standbys } = durability
    const sentence = `${COUNT}, found ${confirmations} of ${standbys.length}`
    wrong.push({ path: ['durability', 'confirmations'], sentence })
  }
  return wrong
}

/** One late heartbeat and one lost heartbeat must not depose a leader. */
function ofLeadership({ leadership: { heartbeatMs, silenceMs } }: ClusterFile): Contradiction[] {
  if (silenceMs >= HEARTBEATS_IN_SILENCE * heartbeatMs) return []
  const least = `at least ${HEARTBEATS_IN_SILENCE} times heartbeatMs (${heartbeatMs})`
  return [{ path: ['leadership', 'silenceMs'], sentence: `expected ${least}, found ${silenceMs}` }]
}

/** The customers processes. */
export function customersIn({ customers }: Pick<ClusterFile, 'customers'>) {
  return customers?.processes ?? []
}

/** Each process in the file, with its path there. */
function membersOf(file: ClusterFile): readonly { readonly member: Member; readonly path: string[] }[] {
  const placed = (section: readonly Member[], ...path: string[]) =>
    section.map((member, index) => ({ member, path: [...path, String(index)] }))
  return [
    ...placed(file.engines, 'engines'),
    ...placed(file.historians, 'historians'),
    ...placed(file.gateways, 'gateways'),
    ...placed(customersIn(file), 'customers', 'processes'),
  ]
}

/** Customers processes call the leader, which may be any engine. */
function ofCustomers(file: ClusterFile): Contradiction[] {
  const { customers, engines, link } = file
  if (customers === undefined) return []
  const wrong = engines.flatMap(({ customers: address }, index): Contradiction[] => {
    const path = ['engines', String(index), 'customers']
    if (address === undefined) {
      const sentence = 'expected host:port, at which the customers processes reach this engine'
      return [{ path: path.slice(0, -1), sentence }]
    }
    if (link?.tls !== 'off' || isLoopback(address.host)) return []
    return [{ path, sentence: ofThisMachine(`${address.host}:${address.port}`) }]
  })
  const { exchangeSecretFile, gatewaySecretFile } = customers
  const others = [link?.secretFile, link?.previousSecretFile]
  for (const [name, value, more] of [
    ['exchangeSecretFile', exchangeSecretFile, []],
    ['gatewaySecretFile', gatewaySecretFile, [exchangeSecretFile]],
  ] as const) {
    if (![...others, ...more].includes(value)) continue
    const sentence = 'expected a file of its own: whoever has this secret must not have another'
    wrong.push({ path: ['customers', name], sentence })
  }
  return wrong
}

/** Several processes share a store, which must then be in databases; its keys need a role of their own. */
function ofTheirStore({ customers, database }: ClusterFile): Contradiction[] {
  if (customers === undefined) return []
  const { store, keys, processes } = customers
  const wrong: Contradiction[] = []
  const say = (field: string, sentence: string) =>
    wrong.push({ path: ['customers', ...field.split('.')], sentence })
  if (store !== undefined && keys === undefined) say('store', 'expected to be set together with keys')
  if (store === undefined && keys !== undefined) say('keys', 'expected to be set together with store')
  if (store === undefined && processes.length > 1)
    say('processes.1', 'expected one process, or the databases store and keys, which several can share')
  for (const [field, each] of Object.entries({ store, keys }))
    if (each?.tls === 'off' && !isLoopback(each.host))
      say(`${field}.tls`, `expected "on": ${each.host} is not known to be this machine`)
  const users = [database.user, store?.user, keys?.user]
  for (const [field, each] of Object.entries({ store, keys }))
    if (each !== undefined && users.indexOf(each.user) !== users.lastIndexOf(each.user))
      say(`${field}.user`, `expected a role of its own, found ${each.user} twice`)
  return wrong
}

function ofThisMachine(found: string): string {
  return `expected an address of this machine, since link.tls is "off", found ${found}`
}

function ofLinks(file: ClusterFile): Contradiction[] {
  const { link } = file
  const members = membersOf(file)
  const listeners = members.flatMap(({ member, path }) =>
    'link' in member ? [{ link: member.link, path: [...path, 'link'] }] : [],
  )
  if (link === undefined) {
    const [first] = members
    const sentence =
      'expected an object with secretFile and tls, which engines, historians, gateways and customers need'
    return first === undefined ? [] : [{ path: ['link'], sentence }]
  }
  if (link.tls !== 'off') return []
  return listeners.flatMap(({ link: at, path }) =>
    at.kind === 'SOCKET' || isLoopback(at.host) ? [] : [{ path, sentence: ofThisMachine(addressOf(at)) }],
  )
}

type Member =
  | ClusterFile['engines'][number]
  | ClusterFile['historians'][number]
  | ClusterFile['gateways'][number]
  | NonNullable<ClusterFile['customers']>['processes'][number]

/** Finds values that occur more than once in the file. */
function twice(
  file: ClusterFile,
  field: string,
  read: (member: Member) => string | undefined,
): Contradiction[] {
  const seen = new Map<string, string>()
  const wrong: Contradiction[] = []
  for (const { member, path: at } of membersOf(file)) {
    const value = read(member)
    if (value === undefined) continue
    const path = [...at, field]
    const first = seen.get(value)
    if (first === undefined) seen.set(value, path.join('.'))
    else wrong.push({ path, sentence: `expected a value other than that of ${first}, found ${value}` })
  }
  return wrong
}
