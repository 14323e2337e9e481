/**
 * The catalogue of public reasons: every word that can stand in `reason` of an error body, with its code, HTTP
 * status, texts and documentation. The compiler sees to it that each has all of them.
 */
import { ACCESS_CATALOGUE } from './access.ts'
import { ADMINISTRATION_CATALOGUE } from './administration.ts'
import { CORE_CATALOGUE } from './core.ts'
import type { ArgumentNames, ReasonEntry, TextArgument } from './entry.ts'
import { REQUEST_CATALOGUE } from './requests.ts'
import { SERVICE_CATALOGUE } from './service.ts'

const CATALOGUE = {
  ...CORE_CATALOGUE,
  ...ADMINISTRATION_CATALOGUE,
  ...REQUEST_CATALOGUE,
  ...ACCESS_CATALOGUE,
  ...SERVICE_CATALOGUE,
}

type Catalogue = typeof CATALOGUE

/** A public reason. Stable: clients may compare it. */
export type Reason = keyof Catalogue

/** What the texts of `R` need; for a union of reasons, what any of them needs. */
export type ReasonArguments<R extends Reason> = {
  readonly [Name in ArgumentNames<Catalogue[R]['en']>]: TextArgument
}

/** Code, status, texts and documentation of every reason. */
export const REASONS: { readonly [R in Reason]: ReasonEntry } = CATALOGUE

/** Every reason, in the order of the catalogue. */
export const REASON_NAMES = Object.keys(CATALOGUE) as readonly Reason[]
