/**
 * Types shared by the commands of `bourse cluster`: their arguments, the functions they need from the
 * process, and exit codes.
 */
import type { OptionForms } from '../../cli/arguments.ts'
import type { AuditHost } from '../maintenance/verification/host.ts'
import type { ClusterSettings } from './settings.ts'

export const EXIT_DONE = 0
export const EXIT_FINDING = 1
export const EXIT_CANNOT = 2

/** The auditor's host, which also reads journals, and the operator's name, such as `anna@east`. */
export type ClusterHost = Omit<AuditHost, 'defaultData'> & { readonly operator: string }

export type ClusterRequest = {
  readonly settings: ClusterSettings
  /** The arguments after the command's name. */
  readonly words: readonly string[]
  readonly options: ReadonlyMap<string, string | true>
}

export type ClusterCommand = {
  readonly name: string
  readonly help: string
  /** In addition to `config`, `json` and `help`, which all commands have. */
  readonly forms: OptionForms
  /** Description of its positional arguments; empty if it has none. */
  readonly words: readonly string[]
  /** Resolves with the exit code. */
  readonly run: (request: ClusterRequest, host: ClusterHost) => Promise<number>
}

/** The text of an option; undefined if it was not given. */
export function textOf(options: ClusterRequest['options'], name: string): string | undefined {
  const value = options.get(name)
  return typeof value === 'string' ? value : undefined
}
