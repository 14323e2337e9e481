/** Finds the running node's admin server through its data directory and sends requests to it. */

import { readFileSync } from 'node:fs'
import path from 'node:path'
import {
  ADMIN_FILE,
  ADMIN_PATH,
  type AdminAddress,
  type AdminAnswer,
  type AdminError,
  type AdminOperation,
  type AdminRequests,
  type AdminResults,
  TOKEN_MARK,
} from '../../contract/admin/admin.ts'
import { DOCUMENT_JSON, parseJson } from '../../units/bounded-json.ts'
import { inDoubt } from './in-doubt.ts'

/** Maximum wait for an answer; the server keeps a silent connection open for the same time. */
const TIMEOUT_MS = 30_000

/**
 * No answer: no node or a different one runs at the address, or the connection was cut. The message states
 * what to do.
 */
export class AdminUnreachableFault extends Error {
  override readonly name = 'AdminUnreachableFault'
}

/** The node refused the request. */
export class AdminRefusedError extends Error {
  override readonly name = 'AdminRefusedError'
  readonly error: AdminError

  constructor(error: AdminError) {
    super(error.message)
    this.error = error
  }
}

/** The address of the admin server of a data directory's node, as the node wrote it. */
export function readAdminAddress(dataDirectory: string): AdminAddress {
  const file = path.join(dataDirectory, ADMIN_FILE)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (code === 'EACCES' || code === 'EPERM') {
      throw new AdminUnreachableFault(`${file} may not be read: run as the user that runs the node`, {
        cause,
      })
    }
    throw new AdminUnreachableFault(
      `no node is running on ${dataDirectory} (there is no ${ADMIN_FILE}); start the node, or specify another directory with --data`,
      { cause },
    )
  }
  try {
    const address = parseJson(text, DOCUMENT_JSON) as AdminAddress
    if (typeof address.url === 'string' && typeof address.token === 'string') return address
  } catch {
    // The failure is reported below: unreadable and incomplete are the same to an operator.
  }
  throw new AdminUnreachableFault(`${file} is damaged: restart the node, which rewrites it`)
}

/** Carries out one operation; throws `AdminRefusedError` or `AdminUnreachableFault`. */
export async function askAdmin<Operation extends AdminOperation>(
  address: AdminAddress,
  operation: Operation,
  request: AdminRequests[Operation],
  timeoutMs = TIMEOUT_MS,
): Promise<AdminResults[Operation]> {
  let answer: AdminAnswer<Operation>
  try {
    const response = await fetch(`${address.url}${ADMIN_PATH}${operation}`, {
      ...posted(address, request),
      signal: AbortSignal.timeout(timeoutMs),
    })
    answer = parseJson(await response.text(), DOCUMENT_JSON) as AdminAnswer<Operation>
  } catch (cause) {
    throw new AdminUnreachableFault(withoutAnswer(address, operation, cause), { cause })
  }
  if (isAdminAnswer(answer) && answer.ok) return answer.result
  throw refusedBy(address, answer)
}

function posted({ token }: AdminAddress, request: unknown): RequestInit {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return { method: 'POST', headers, body: JSON.stringify(request) }
}

/** The error, if the answer is not a result. */
function refusedBy(address: AdminAddress, answer: unknown): AdminRefusedError | AdminUnreachableFault {
  const { error } = Object(answer) as { readonly error?: AdminError }
  if (!isAdminAnswer(answer) || error === undefined)
    return new AdminUnreachableFault(`the server at ${address.url} is not an admin server: check the address`)
  return error.reason === 'INVALID_TOKEN'
    ? new AdminUnreachableFault(unknownToken(address))
    : new AdminRefusedError(error)
}

/**
 * The text answer of an operation, once its first bytes have arrived; a refusal is an object, as for every
 * operation.
 */
export async function askAdminText<Operation extends AdminOperation>(
  address: AdminAddress,
  operation: Operation,
  request: AdminRequests[Operation],
): Promise<ReadableStream<Uint8Array>> {
  let response: Response
  try {
    // The answer may take long while a long journal is replayed: the runtime would give up after five
    // minutes.
    response = await fetch(`${address.url}${ADMIN_PATH}${operation}`, {
      ...posted(address, request),
      timeout: false,
    } as RequestInit)
  } catch (cause) {
    throw new AdminUnreachableFault(withoutAnswer(address, operation, cause), { cause })
  }
  if (response.ok && response.body !== null) return response.body
  const answer = await jsonOf(response)
  throw refusedBy(address, answer)
}

/** Undefined if the answer is not JSON. */
async function jsonOf(response: Response): Promise<unknown> {
  try {
    return parseJson(await response.text(), DOCUMENT_JSON)
  } catch {
    return undefined
  }
}

/** Another server, such as the public port, answers in another form. */
function isAdminAnswer(answer: unknown): boolean {
  const { ok, error } = Object(answer) as { readonly ok?: unknown; readonly error?: AdminError }
  return ok === true || (ok === false && typeof error?.reason === 'string')
}

function unknownToken({ url, token, pid }: AdminAddress): string {
  if (pid === undefined || token.startsWith(TOKEN_MARK)) {
    return `the token is unknown to the node at ${url}, or was revoked`
  }
  return `another node answers at ${url}: the node of this data directory (process ${pid}) has ended`
}

/** Only if a connection was never opened is it certain that no command was sent. */
function withoutAnswer({ url, pid }: AdminAddress, operation: AdminOperation, cause: unknown): string {
  const node = pid === undefined ? 'the node' : `the node (process ${pid})`
  const { code, name } = cause as { readonly code?: unknown; readonly name?: unknown }
  if (code === 'ConnectionRefused' || code === 'ECONNREFUSED')
    return `${node} does not answer at ${url}: is it still running?`
  if (typeof code === 'string' && /CERT|UNABLE_TO/.test(code)) {
    return `the certificate of ${node} at ${url} is not trusted (${code}); nothing was sent. Use NODE_EXTRA_CA_CERTS to trust another authority`
  }
  const how = name === 'TimeoutError' ? 'did not answer in time' : 'closed the connection'
  return `${node} ${how} at ${url}; ${inDoubt(operation)}`
}
