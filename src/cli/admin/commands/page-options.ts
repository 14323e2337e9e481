/** The options of every command that lists a page at a time. */

/** `what`: what an entry is named by. */
export function pageOptions(what: string) {
  return {
    after: { field: 'after', kind: 'text', help: `only those after this ${what}` },
    limit: { field: 'limit', kind: 'integer', help: 'at most this many, 1 to 1000' },
  } as const
}
