/**
 * The answers of the admin server: JSON in one envelope, never cached. They share the origin of the
 * operator's page and have its protection: an answer opened as a document runs nothing and cannot be framed.
 */
import type { AdminAnswer, AdminError } from '../../contract/admin/admin.ts'
import { type AdminReason, ALL_REASONS, adminStatus } from '../../contract/reasons/catalogue.ts'
import { PAGE_PROTECTION } from '../listener/page-protection.ts'

export const ANSWER_HEADERS = { ...PAGE_PROTECTION, 'Cache-Control': 'no-store' } as const

/** `message` defaults to the catalogue's text. */
export function refusal(reason: AdminReason, message = ALL_REASONS[reason].en): Response {
  return failure({ reason, message })
}

export function failure(error: AdminError): Response {
  return respond(adminStatus(error.reason), { ok: false, error })
}

export function respond(status: number, body: AdminAnswer): Response {
  return Response.json(body, { status, headers: ANSWER_HEADERS })
}
