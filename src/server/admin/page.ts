/** Paged lists for operators: a limited number of entries after one that was shown before. */
import { invalid } from './context.ts'

export type PageRequest = { readonly after?: string | undefined; readonly limit?: number | undefined }

/**
 * The entries after the one whose name is `after`, at most `limit`; all of them if neither is given. Throws
 * `AdminRequestError`.
 */
export function pageOf<Entry>(
  entries: readonly Entry[],
  { after, limit }: PageRequest,
  nameOf: (entry: Entry) => string,
): Entry[] {
  // If two entries have the same name, as bans of operators and of limits can, the page begins after both.
  const at = after === undefined ? -1 : entries.findLastIndex((entry) => nameOf(entry) === after)
  if (after !== undefined && at < 0)
    throw invalid('after', `expected an entry of the list, found ${after}: start again from the beginning`)
  return entries.slice(at + 1, limit === undefined ? undefined : at + 1 + limit)
}
