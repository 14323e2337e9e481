/** Fields that operations of several subjects take. */

/**
 * Why it is done, for the journal's audit trail, and who does it: `actor` counts with the node's own token alone, a
 * named token says it itself.
 */
export type AuditFields = { readonly actor?: string | undefined; readonly note?: string | undefined }

/** A page of a list: the entries after the one of this name, at most so many (1 to 1000). Without both: all. */
export type AdminPageFields = { after?: string | undefined; limit?: number | undefined }

/** `reference` names the transfer in the operator's own books: the same one again changes nothing. */
export type MoneyFields = AuditFields & { account: string; asset: string; amount: string; reference: string }
