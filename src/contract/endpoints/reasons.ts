/**
 * The possible refusals of each kind of request, derived from the reasons' rows: an endpoint lists its kinds,
 * and its own reasons in addition to those of its security and form. test/schemas searches for reasons that
 * are assigned nowhere.
 */
import { mayUse, PERMISSIONS, type Permission } from '../../units/order-enums.ts'
import { REASON_NAMES, REASONS, type Reason } from '../reasons/catalogue.ts'
import type { RequestKind } from '../reasons/entry.ts'

/** By kind of request: the other kinds whose reasons apply to it too. */
const BESIDE: Readonly<Record<RequestKind, readonly RequestKind[]>> = {
  ...{ ANY: [], PARAMETERS: [], BODY: [], KEY: [], SIGNATURE: [] },
  ...{ READING: [], LONG: [], DECIMALS: [], FOREIGN: [] },
  COMMAND: ['READING'],
  PLACEMENT: ['COMMAND', 'DECIMALS'],
  ORDER: ['PLACEMENT', 'FOREIGN'],
  PLACED_ORDER: ['ORDER'],
  ORDER_LIST: ['PLACEMENT'],
  CANCEL: ['COMMAND'],
  AMENDMENT: ['CANCEL', 'DECIMALS'],
}

function reasonsOfKind(kind: RequestKind): readonly Reason[] {
  const own = REASON_NAMES.filter((reason) => REASONS[reason].requests?.includes(kind))
  return [...own, ...BESIDE[kind].flatMap(reasonsOfKind)]
}

export const READING = reasonsOfKind('READING')
export const LONG = reasonsOfKind('LONG')
export const COMMAND = reasonsOfKind('COMMAND')
export const FOREIGN = reasonsOfKind('FOREIGN')
export const ORDER = reasonsOfKind('ORDER')
export const PLACED_ORDER = reasonsOfKind('PLACED_ORDER')
export const ORDER_LIST = reasonsOfKind('ORDER_LIST')
export const CANCEL = reasonsOfKind('CANCEL')
export const AMENDMENT = reasonsOfKind('AMENDMENT')

/**
 * The requirements of a request: `KEY` is only a key, with any permission; `READ` is the permission READ or
 * TRADE.
 */
export type SecurityWord = 'NONE' | 'KEY' | 'USER_DATA' | 'READ' | 'TRADE' | 'WALLET' | 'WITHDRAW'

const UNSIGNED: readonly SecurityWord[] = ['NONE', 'KEY', 'USER_DATA']

export function isSigned(security: SecurityWord): boolean {
  return !UNSIGNED.includes(security)
}

/** The permissions for requests of this kind: a key needs one of them. */
export function permissionsFor(security: SecurityWord): readonly Permission[] {
  if (security === 'NONE' || security === 'KEY') return []
  return PERMISSIONS.filter((permission) => mayUse([permission], security))
}

/** The form of a request, as far as reasons depend on it. */
export type RequestForm = {
  readonly security: SecurityWord
  readonly hasParameters: boolean
  readonly hasBody: boolean
}

/** Every possible refusal of an endpoint of this form, in the order of the catalogue. */
export function reasonsOf(
  { security, hasParameters, hasBody }: RequestForm,
  own: readonly Reason[],
): Reason[] {
  const kinds: readonly RequestKind[] = [
    'ANY',
    ...(hasParameters ? (['PARAMETERS'] as const) : []),
    ...(hasBody ? (['BODY'] as const) : []),
    ...(security === 'NONE' ? [] : (['KEY'] as const)),
    ...(isSigned(security) ? (['SIGNATURE'] as const) : []),
  ]
  const given = new Set<Reason>([...kinds.flatMap(reasonsOfKind), ...own])
  return REASON_NAMES.filter((reason) => given.has(reason))
}

/** Reasons by their HTTP status, lowest first. */
export function byStatus(reasons: readonly Reason[]): ReadonlyMap<number, readonly Reason[]> {
  const statuses = [...new Set(reasons.map((reason) => REASONS[reason].status))].toSorted((a, b) => a - b)
  return new Map(
    statuses.map((status) => [status, reasons.filter((reason) => REASONS[reason].status === status)]),
  )
}
