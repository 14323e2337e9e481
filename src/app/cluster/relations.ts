/** Rules between the parts of a cluster's file. */
import { isLoopback } from '../../server/listener/loopback.ts'
import { type ClusterFile, COUNT, HEARTBEATS_IN_SILENCE, type LinkAddress } from './schema.ts'

/** The problem, and the path in the file. */
export type Contradiction = { readonly path: readonly string[]; readonly sentence: string }

export function contradictionsOf(file: ClusterFile): readonly Contradiction[] {
  return [
    ...ofDatabase(file),
    ...ofLeadership(file),
    ...ofLinks(file),
    ...twice(file, 'name', ({ name }) => name),
    ...twice(file, 'link', (member) => ('link' in member ? addressOf(member.link) : undefined)),
  ]
}

/** The address as it is written. */
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

/** One heartbeat that comes late, and one that is lost, must not depose a leader. */
function ofLeadership({ leadership: { heartbeatMs, silenceMs } }: ClusterFile): Contradiction[] {
  if (silenceMs >= HEARTBEATS_IN_SILENCE * heartbeatMs) return []
  const least = `at least ${HEARTBEATS_IN_SILENCE} times heartbeatMs (${heartbeatMs})`
  return [{ path: ['leadership', 'silenceMs'], sentence: `expected ${least}, found ${silenceMs}` }]
}

/** Names of the sections whose members listen for links. */
const LISTENING = ['engines', 'historians'] as const

function ofLinks(file: ClusterFile): Contradiction[] {
  const { link } = file
  const listeners = LISTENING.flatMap((section) =>
    file[section].map((member, index) => ({ ...member, path: [section, String(index), 'link'] })),
  )
  if (link === undefined) {
    const [first] = [...listeners, ...file.gateways]
    const sentence = 'expected an object with secretFile and tls, which engines, historians and gateways need'
    return first === undefined ? [] : [{ path: ['link'], sentence }]
  }
  if (link.tls !== 'off') return []
  return listeners.flatMap(({ link: at, path }) =>
    at.kind === 'SOCKET' || isLoopback(at.host)
      ? []
      : [
          {
            path,
            sentence: `expected an address of this machine, since link.tls is "off", found ${addressOf(at)}`,
          },
        ],
  )
}

type Member =
  | ClusterFile['engines'][number]
  | ClusterFile['historians'][number]
  | ClusterFile['gateways'][number]

/** Each value occurs once in the whole file. */
function twice(
  file: ClusterFile,
  field: string,
  read: (member: Member) => string | undefined,
): Contradiction[] {
  const seen = new Map<string, string>()
  const wrong: Contradiction[] = []
  for (const section of ['engines', 'historians', 'gateways'] as const) {
    for (const [index, member] of file[section].entries()) {
      const value = read(member)
      if (value === undefined) continue
      const place = `${section}.${index}.${field}`
      const first = seen.get(value)
      if (first === undefined) seen.set(value, place)
      else
        wrong.push({
          path: place.split('.'),
          sentence: `expected a value other than that of ${first}, found ${value}`,
        })
    }
  }
  return wrong
}
