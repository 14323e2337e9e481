/**
 * A node that has just started refuses strict signatures from its first second
 * (docs/reference/authentication.md#strict-signature), and a browser logs each refusal.
 */
import { createBourseClient } from '../../src/client/client.ts'
import type { Credentials } from './bourse-process.ts'

/** Resolves once the node accepts strict signatures. */
export async function untilStrictSignatures(
  url: string,
  { apiKey, secret }: Pick<Credentials, 'apiKey' | 'secret'>,
): Promise<void> {
  await createBourseClient({ url, apiKey, secret }).openOrders()
}
