/** The search of the audit trail as it is typed, and all of its results. */
import type { AdminAuditSearch } from '../../../contract/admin/admin.ts'
import type { AdminAuditPage } from '../../../contract/admin/audit.ts'
import type { AdminAction } from '../../../contract/admin/records.ts'
import type { Answer } from './page-session.ts'

/** Names of the fields of the form. */
export const SEARCH_FIELDS = ['actor', 'kind', 'account', 'from', 'to', 'text'] as const

/** As typed; '' for any value. */
export type TypedSearch = Readonly<Record<(typeof SEARCH_FIELDS)[number], string>>

export const ANYTHING: TypedSearch = { actor: '', kind: '', account: '', from: '', to: '', text: '' }

/** A time that is typed without an offset is UTC, as all displayed times. */
export function searchOf(typed: TypedSearch): AdminAuditSearch {
  const given = SEARCH_FIELDS.map((field) => [field, typed[field].trim()] as const)
  const moments = new Set<string>(['from', 'to'])
  return Object.fromEntries(
    given
      .filter(([, text]) => text !== '')
      .map(([field, text]) => [field, moments.has(field) ? utcText(text) : text]),
  )
}

/** `2026-01-31T14:05` as `2026-01-31T14:05:00Z`; other text stays, so that the node refuses it. */
function utcText(text: string): string {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)$/.exec(text) ?? []
  if (day === undefined || time === undefined) return text
  return `${day}T${time.length === 5 ? `${time}:00` : time}Z`
}

export type Found = {
  readonly actions: readonly AdminAction[]
  /** There are more results than these. */
  readonly isCut: boolean
}

/** All results, page after page, at most `max`. */
export async function findAll(
  ask: (request: AdminAuditSearch) => Promise<Answer<AdminAuditPage>>,
  search: AdminAuditSearch,
  max: number,
  pageMax: number,
): Promise<Answer<Found>> {
  const actions: AdminAction[] = []
  for (let before: number | undefined; actions.length < max; ) {
    const limit = Math.min(pageMax, max - actions.length)
    const answer = await ask({ ...search, limit, ...(before === undefined ? {} : { before }) })
    if (!answer.ok) return answer
    actions.push(...answer.result.actions)
    if (answer.result.next === null) return { ok: true, result: { actions, isCut: false } }
    before = answer.result.next
  }
  return { ok: true, result: { actions, isCut: true } }
}

/**
 * Maximum number of requests for one click: at 5,000 commands each, that covers a trail of half a million.
 */
const QUESTIONS_MAX = 100

/**
 * The command before which a result was found, or the command that the search has reached: a search for a
 * rare text continues automatically.
 */
export async function nextFound(
  ask: (request: AdminAuditSearch) => Promise<Answer<AdminAuditPage>>,
  search: AdminAuditSearch,
  from: number,
): Promise<number> {
  let before = from
  for (let asked = 0; asked < QUESTIONS_MAX; asked++) {
    const answer = await ask({ ...search, limit: 1, before })
    if (!answer.ok || answer.result.actions.length > 0 || answer.result.next === null) return before
    before = answer.result.next
  }
  return before
}
