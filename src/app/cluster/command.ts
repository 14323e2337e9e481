/** What the commands of `bourse cluster` share: what they are given, what they need of their process, and exit codes. */
import type { OptionForms } from '../../cli/arguments.ts'
import type { AuditHost } from '../maintenance/audit/host.ts'
import type { ClusterSettings } from './settings.ts'

export const EXIT_DONE = 0
export const EXIT_FINDING = 1
export const EXIT_CANNOT = 2

/** Of the auditor's, which reads journals too, with who asks: `anna@east`. */
export type ClusterHost = Omit<AuditHost, 'defaultData'> & { readonly operator: string }

export type ClusterRequest = {
  readonly settings: ClusterSettings
  /** Those after the command's name. */
  readonly words: readonly string[]
  readonly options: ReadonlyMap<string, string | true>
}

export type ClusterCommand = {
  readonly name: string
  readonly help: string
  /** Beside `config`, `json` and `help`, which all have. */
  readonly forms: OptionForms
  /** What its words are, for people; empty: it takes none. */
  readonly words: readonly string[]
  /** Resolves with the exit code. */
  readonly run: (request: ClusterRequest, host: ClusterHost) => Promise<number>
}

/** The text of an option; undefined: it was not given. */
export function textOf(options: ClusterRequest['options'], name: string): string | undefined {
  const value = options.get(name)
  return typeof value === 'string' ? value : undefined
}
