/**
 * Finds the running node's admin server through its data directory and asks it.
 */

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { DOCUMENT_JSON, parseJson } from '../../units/bounded-json.ts'
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
} from '../../wire/admin.ts'
import { inDoubt } from './in-doubt.ts'

/** Longest wait for an answer; the server keeps a silent connection as long. */
const TIMEOUT_MS = 30_000

/** There is no answer: no node runs there, not this one, or it was cut off. The message says what to do. */
export class AdminUnreachableFault extends Error {
  override readonly name = 'AdminUnreachableFault'
}

/** The node said no. */
export class AdminRefusedError extends Error {
  override readonly name = 'AdminRefusedError'
  readonly error: AdminError

  constructor(error: AdminError) {
    super(error.message)
    this.error = error
  }
}

/** Where the node of a data directory can be asked, as the node wrote it. */
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
      `no node runs on ${dataDirectory} (there is no ${ADMIN_FILE}); start it, or name another directory with --data`,
      { cause },
    )
  }
  try {
    const address = parseJson(text, DOCUMENT_JSON) as AdminAddress
    if (typeof address.url === 'string' && typeof address.token === 'string') return address
  } catch {
    // Said below: unreadable and incomplete are the same to an operator.
  }
  throw new AdminUnreachableFault(`${file} is damaged: restart the node, which writes it anew`)
}

/** Does one operation; throws `AdminRefusedError` or `AdminUnreachableFault`. */
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

/** What stands in the way, where the answer is not the result. */
function refusedBy(address: AdminAddress, answer: unknown): AdminRefusedError | AdminUnreachableFault {
  const { error } = Object(answer) as { readonly error?: AdminError }
  if (!isAdminAnswer(answer) || error === undefined)
    return new AdminUnreachableFault(
      `what answers at ${address.url} is no admin server: look at the address again`,
    )
  return error.reason === 'INVALID_TOKEN'
    ? new AdminUnreachableFault(unknownToken(address))
    : new AdminRefusedError(error)
}

/** The text with which an operation answers, once its first bytes are there; a refusal is an object as of every operation. */
export async function askAdminText<Operation extends AdminOperation>(
  address: AdminAddress,
  operation: Operation,
  request: AdminRequests[Operation],
): Promise<ReadableStream<Uint8Array>> {
  let response: Response
  try {
    // A replay takes as long as the journal is: the runtime would give up after five minutes.
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

/** Undefined: what came is no JSON. */
async function jsonOf(response: Response): Promise<unknown> {
  try {
    return parseJson(await response.text(), DOCUMENT_JSON)
  } catch {
    return undefined
  }
}

/** Another server, the public port too, answers with something of its own. */
function isAdminAnswer(answer: unknown): boolean {
  const { ok, error } = Object(answer) as { readonly ok?: unknown; readonly error?: AdminError }
  return ok === true || (ok === false && typeof error?.reason === 'string')
}

function unknownToken({ url, token, pid }: AdminAddress): string {
  if (pid === undefined || token.startsWith(TOKEN_MARK)) {
    return `the node at ${url} does not know this token, or it is revoked`
  }
  return `another node answers at ${url}: the one of this data directory (process ${pid}) is gone`
}

/** Only a connection that was never made is known to have carried no command. */
function withoutAnswer({ url, pid }: AdminAddress, operation: AdminOperation, cause: unknown): string {
  const node = pid === undefined ? 'the node' : `the node (process ${pid})`
  const { code, name } = cause as { readonly code?: unknown; readonly name?: unknown }
  if (code === 'ConnectionRefused' || code === 'ECONNREFUSED')
    return `${node} does not answer at ${url}: is it still running?`
  if (typeof code === 'string' && /CERT|UNABLE_TO/.test(code)) {
    return `the certificate of ${node} at ${url} is not trusted (${code}); nothing was sent. NODE_EXTRA_CA_CERTS names one more authority`
  }
  const how = name === 'TimeoutError' ? 'has not answered in time' : 'broke the connection off'
  return `${node} ${how} at ${url}; ${inDoubt(operation)}`
}
