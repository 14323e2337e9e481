/**
 * Whether a request uses only the common interface. Its answers keep their shape, including refusals: our
 * additions are sent only to clients that use one of our extensions
 * (docs/reference/refusals.md).
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
