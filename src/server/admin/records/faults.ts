/**
 * Operations on the faults of a sandbox (docs/sandbox.md#faults). They are not commands of the journal: only
 * the connection to the exchange fails.
 */
import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import type { FaultKind, FaultTerms } from '../../../contract/admin/operations/faults.ts'
import {
  type AdminContext,
  AdminRequestError,
  type FaultControl,
  invalid,
  knownAccount,
  knownSymbol,
} from '../context.ts'

type Term = keyof FaultTerms

const WHOM: readonly Term[] = ['account', 'apiKey']
const HOW_OFTEN: readonly Term[] = ['percent', 'seed', 'times']

/** The terms of each kind, in addition to `seconds`, which every fault may have. */
const TERMS_BY_KIND: Readonly<Record<FaultKind, readonly Term[]>> = {
  LATENCY: [...WHOM, ...HOW_OFTEN, 'endpoint', 'latencyMs', 'spreadMs'],
  LOST_ANSWER: [...WHOM, ...HOW_OFTEN, 'endpoint'],
  DISCONNECT: [...WHOM, ...HOW_OFTEN, 'endpoint'],
  RATE_LIMIT: [...WHOM, ...HOW_OFTEN, 'endpoint', 'retryAfterSeconds'],
  CLOCK: ['aheadMs', 'behindMs'],
  HALT: ['account', ...HOW_OFTEN, 'symbol'],
}

export async function listFaults(context: AdminContext): Promise<AdminResults['fault/list']> {
  return controlOf(context).list()
}

export async function addFault(
  context: AdminContext,
  { actor, note: _note, ...request }: AdminRequests['fault/add'],
): Promise<AdminResults['fault/add']> {
  const control = controlOf(context)
  const { kind, account, apiKey, symbol } = request
  for (const [name, value] of Object.entries(request)) {
    if (name === 'kind' || name === 'seconds' || value === undefined) continue
    if (!TERMS_BY_KIND[kind].includes(name as Term)) throw invalid(name, `${kind} does not accept it`)
  }
  if (kind === 'LATENCY' && request.latencyMs === undefined && request.spreadMs === undefined)
    throw invalid('latencyMs', 'expected latencyMs, spreadMs or both for LATENCY')
  if (kind === 'CLOCK' && (request.aheadMs === undefined) === (request.behindMs === undefined))
    throw invalid('aheadMs', 'expected either aheadMs or behindMs for CLOCK')
  if (account !== undefined && apiKey !== undefined)
    throw invalid('apiKey', 'expected an account or a key, found both')
  if (account !== undefined) knownAccount(context, 'account', account)
  if (symbol !== undefined) knownSymbol(context, 'symbol', symbol)
  if (apiKey !== undefined && context.registry.apiKey(apiKey) === undefined)
    throw invalid('apiKey', 'expected a key of the exchange')
  const fault = control.add(request, actorOf(context, actor))
  if (fault === undefined) throw new AdminRequestError('TOO_MANY_FAULTS')
  return fault
}

export async function clearFaults(
  context: AdminContext,
  { number, actor }: AdminRequests['fault/clear'],
): Promise<AdminResults['fault/clear']> {
  const cleared = controlOf(context).clear(number, actorOf(context, actor))
  if (number !== undefined && cleared === 0) throw new AdminRequestError('UNKNOWN_FAULT', { field: 'number' })
  return { cleared }
}

function controlOf({ faults }: AdminContext): FaultControl {
  if (faults === undefined) throw new AdminRequestError('NOT_A_SANDBOX')
  return faults
}

/** The actor as logged. */
function actorOf({ caller }: AdminContext, actor: string | undefined): string {
  return caller.token ?? actor ?? 'node'
}
