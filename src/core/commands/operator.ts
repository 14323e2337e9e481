/** The actor of a command that is not a trader's. */

/**
 * Actor and reason of an operator's command, kept in the journal as the audit trail. Each at most `TEXT_MAX`.
 */
export type Operator = { readonly actor: string; readonly note: string }
