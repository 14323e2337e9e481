/** Requests to the admin server, as a program makes them. */
import type { AdminAddress, AdminAnswer, AdminOperation } from '../../../src/contract/admin/admin.ts'

/** Rejects if the request is refused. */
export async function adminResult(
  { url, token }: AdminAddress,
  operation: AdminOperation,
  body: object,
): Promise<unknown> {
  const response = await fetch(`${url}/admin/v1/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as AdminAnswer
  if (!answer.ok) throw new Error(`${operation}: ${answer.error.message}`)
  return answer.result
}
