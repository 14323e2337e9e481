/**
 * Whether a request is the common interface's alone. Its answers keep their shape, refusals too: what is ours comes to whoever uses
 * something of ours (docs/reference/errors.md#beside-the-reason).
 */
import type { Parameters } from '../common/parameters.ts'

/** Every parameter of its nine endpoints. */
const OF_INTERFACE: ReadonlySet<string> = new Set([
  ...['symbol', 'side', 'type', 'quantity', 'price', 'total', 'timestamp', 'recvWindow'],
  ...['id', 'limit', 'page', 'size', 'code'],
])

export function isOfInterface(parameters: Parameters): boolean {
  return parameters.names().every((name) => OF_INTERFACE.has(name))
}
