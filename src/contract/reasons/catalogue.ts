/**
 * The single catalogue of reasons: every value of `reason`, in every place, with its status, texts and
 * documentation. The compiler refuses a reason that is not in it.
 */
import type { CoreReason } from '../../units/reasons.ts'
import { ACCESS_CATALOGUE } from './access.ts'
import { ADMIN_CATALOGUE } from './admin.ts'
import { ADMINISTRATION_CATALOGUE } from './administration.ts'
import { COMMAND_LINE_CATALOGUE } from './command-line.ts'
import { CORE_CATALOGUE } from './core.ts'
import { CUSTOMERS_CATALOGUE } from './customers.ts'
import type {
  ArgumentNames,
  CustomerReasonEntry,
  OperatorReasonEntry,
  Place,
  PublicReasonEntry,
  ReasonEntry,
  TextArgument,
} from './entry.ts'
import { ORDER_CHANGE_CATALOGUE } from './order-changes.ts'
import { REQUEST_CATALOGUE } from './requests.ts'
import { SERVICE_CATALOGUE } from './service.ts'
import { WITHDRAWAL_CATALOGUE } from './withdrawals.ts'

const PUBLIC = {
  ...CORE_CATALOGUE,
  ...ORDER_CHANGE_CATALOGUE,
  ...WITHDRAWAL_CATALOGUE,
  ...REQUEST_CATALOGUE,
  ...ACCESS_CATALOGUE,
  ...SERVICE_CATALOGUE,
}
const OPERATORS = { ...ADMINISTRATION_CATALOGUE, ...ADMIN_CATALOGUE }
const CATALOGUE = {
  ...PUBLIC,
  ...OPERATORS,
  ...COMMAND_LINE_CATALOGUE,
  ...CUSTOMERS_CATALOGUE,
} satisfies Record<CoreReason, ReasonEntry>

type Catalogue = typeof CATALOGUE

/** Any reason, in any place. */
export type AnyReason = keyof Catalogue

/** The reasons that can appear at a place. */
type ReasonAt<P extends Place> = {
  [R in AnyReason]: P extends Catalogue[R]['at'][number] ? R : never
}[AnyReason]

/** A reason of the trading interface, over HTTP or the stream. Stable: clients may compare it. */
export type Reason = keyof typeof PUBLIC

/** A reason of the admin server's answers. */
export type AdminReason = ReasonAt<'admin'>

/** A reason that `bourse` determines without a server's answer. */
export type CommandLineReason = ReasonAt<'command line'>

/** A reason that only customers receive, in addition to those of the trading interface. */
export type CustomerReason = keyof typeof CUSTOMERS_CATALOGUE

/** A reason that appears in the envelope, in the languages of clients. */
export type SpokenReason = Reason | CustomerReason

/** The placeholders of the texts of `R`; for a union of reasons, those of any of them. */
export type ReasonArguments<R extends AnyReason> = {
  readonly [Name in ArgumentNames<Catalogue[R]['en']>]: TextArgument
}

/** The complete entry of every reason. */
export const ALL_REASONS: { readonly [R in AnyReason]: ReasonEntry } = CATALOGUE

/** Code, status, texts and documentation of every public reason. */
export const REASONS: { readonly [R in Reason]: PublicReasonEntry } = PUBLIC

/** Code, status and texts of every reason that appears in the envelope. */
export const SPOKEN_REASONS: { readonly [R in SpokenReason]: PublicReasonEntry | CustomerReasonEntry } = {
  ...PUBLIC,
  ...CUSTOMERS_CATALOGUE,
}

/** Every public reason, in the order of the catalogue. */
export const REASON_NAMES = Object.keys(PUBLIC) as readonly Reason[]

export function isReason(name: AnyReason): name is Reason {
  return Object.hasOwn(PUBLIC, name)
}

export function isAdminReason(name: AnyReason): name is AdminReason {
  return ALL_REASONS[name].at.includes('admin')
}

/** HTTP status of the admin server's answer with this reason. */
export function adminStatus(reason: AdminReason): number {
  const entry: PublicReasonEntry | OperatorReasonEntry = CATALOGUE[reason]
  return ('adminStatus' in entry ? entry.adminStatus : undefined) ?? entry.status
}
