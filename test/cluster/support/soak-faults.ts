/** Random faults of a cluster: each specifies its target, so that two can happen at once. */
import { ENGINES, type EngineName, GATEWAYS, HISTORIAN, type ProcessName } from './cluster-machines.ts'

/** Roles that a fault can target; the process with that role is looked up when it happens. */
export type Role = 'LEADER' | 'STANDBY' | 'EAST' | 'WEST' | 'HISTORIAN'
export type ServerRole = 'PRIMARY' | 'REPLICA'

export type Fault =
  | { readonly kind: 'KILL' | 'PAUSE' | 'STOP'; readonly role: Role }
  | { readonly kind: 'LOSE_DISK' | 'KILL_ENGINES' | 'CUT_SESSIONS' }
  | { readonly kind: 'FREEZE' | 'RESTART'; readonly server: ServerRole }
  | {
      readonly kind: 'PARTITION' | 'HALF_OPEN' | 'SLOW'
      readonly one: Role | ServerRole
      readonly other: Role | ServerRole
    }
  | { readonly kind: 'ISOLATE'; readonly role: Role }
  /** The primary is killed, or disconnected from all others, and a standby is promoted. */
  | { readonly kind: 'PROMOTE'; readonly primary: 'KILLED' | 'ISOLATED' }

export type FaultKind = Fault['kind']

/**
 * Faults of the database. Only one may happen at a time, since otherwise its manager could not know which
 * server has which commits.
 */
const OF_DATABASE: ReadonlySet<FaultKind> = new Set(['FREEZE', 'RESTART', 'PROMOTE', 'CUT_SESSIONS'])

const PAIRS: readonly (readonly [Role | ServerRole, Role | ServerRole])[] = [
  ['LEADER', 'PRIMARY'],
  ['LEADER', 'STANDBY'],
  ['LEADER', 'EAST'],
  ['LEADER', 'HISTORIAN'],
  ['STANDBY', 'PRIMARY'],
  ['WEST', 'STANDBY'],
  ['PRIMARY', 'REPLICA'],
  ['EAST', 'HISTORIAN'],
]

type Draw = <T>(of: readonly T[]) => T

/** Kinds with their weights. */
const WEIGHTS: readonly (readonly [FaultKind, number])[] = [
  ['KILL', 4],
  ['PAUSE', 4],
  ['PARTITION', 5],
  ['PROMOTE', 4],
  ['STOP', 2],
  ['HALF_OPEN', 2],
  ['ISOLATE', 2],
  ['SLOW', 1],
  ['FREEZE', 2],
  ['RESTART', 1],
  ['CUT_SESSIONS', 1],
  ['LOSE_DISK', 1],
  ['KILL_ENGINES', 1],
]

/** Whether a fault affects the database, which engines need for a restart. */
export function isOfDatabase({ kind }: Fault): boolean {
  return OF_DATABASE.has(kind)
}

/** One fault, or two that can happen at once. */
export function drawFaults(random: () => number, canSlow: boolean): readonly Fault[] {
  const draw: Draw = (of) => of[Math.floor(random() * of.length)] as (typeof of)[number]
  const kinds = WEIGHTS.filter(([kind]) => canSlow || kind !== 'SLOW')
  const bag = kinds.flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind))
  const first = drawFault(draw, draw(bag))
  if (random() < 0.5) return [first]
  for (;;) {
    const second = drawFault(draw, draw(bag))
    if (canBoth(first, second)) return [first, second]
  }
}

function drawFault(draw: Draw, kind: FaultKind): Fault {
  const roles: readonly Role[] = ['LEADER', 'LEADER', 'STANDBY', 'EAST', 'WEST', 'HISTORIAN']
  switch (kind) {
    case 'KILL':
    case 'PAUSE':
    case 'STOP':
    case 'ISOLATE':
      return { kind, role: draw(roles) }
    case 'LOSE_DISK':
    case 'KILL_ENGINES':
    case 'CUT_SESSIONS':
      return { kind }
    case 'FREEZE':
    case 'RESTART':
      return { kind, server: draw(['PRIMARY', 'REPLICA']) }
    case 'PARTITION':
    case 'HALF_OPEN':
    case 'SLOW': {
      const [one, other] = draw(PAIRS)
      return { kind, one, other }
    }
    case 'PROMOTE':
      return { kind, primary: draw(['KILLED', 'ISOLATED']) }
  }
}

/** No process is ended twice, and no server that must be promoted is frozen or disconnected. */
function canBoth(one: Fault, other: Fault): boolean {
  if (OF_DATABASE.has(one.kind) && OF_DATABASE.has(other.kind)) return false
  const both = [...touched(one), ...touched(other)]
  return new Set(both).size === both.length
}

function touched(fault: Fault): readonly (Role | ServerRole)[] {
  switch (fault.kind) {
    case 'KILL':
    case 'PAUSE':
    case 'STOP':
    case 'ISOLATE':
      return [fault.role]
    case 'LOSE_DISK':
      return ['STANDBY']
    case 'KILL_ENGINES':
      return ['LEADER', 'STANDBY']
    case 'CUT_SESSIONS':
      return []
    case 'FREEZE':
    case 'RESTART':
      return [fault.server]
    case 'PROMOTE':
      return ['PRIMARY', 'REPLICA']
    case 'PARTITION':
    case 'HALF_OPEN':
    case 'SLOW':
      return [fault.one, fault.other]
  }
}

export function textOf(fault: Fault): string {
  switch (fault.kind) {
    case 'KILL':
    case 'PAUSE':
    case 'STOP':
    case 'ISOLATE':
      return `${fault.kind} ${fault.role}`
    case 'LOSE_DISK':
    case 'KILL_ENGINES':
    case 'CUT_SESSIONS':
      return fault.kind
    case 'FREEZE':
    case 'RESTART':
      return `${fault.kind} ${fault.server}`
    case 'PROMOTE':
      return `PROMOTE, primary ${fault.primary}`
    case 'PARTITION':
    case 'SLOW':
      return `${fault.kind} ${fault.one} and ${fault.other}`
    case 'HALF_OPEN':
      return `HALF_OPEN ${fault.one} to ${fault.other}`
  }
}

/** Which process has a role while `leader` leads. */
export function processOf(role: Role, leader: EngineName): ProcessName {
  switch (role) {
    case 'LEADER':
      return leader
    case 'STANDBY':
      return ENGINES.find((name) => name !== leader) ?? leader
    case 'EAST':
      return GATEWAYS[0]
    case 'WEST':
      return GATEWAYS[1]
    case 'HISTORIAN':
      return HISTORIAN
  }
}
