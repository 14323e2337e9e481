/** Who gives a command that is not a trader's. */

/** Who gave an operator's command and why; kept in the journal as the audit trail. Each at most `TEXT_MAX`. */
export type Operator = { readonly actor: string; readonly note: string }
