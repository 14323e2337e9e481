/** A node that has just started refuses strict signatures of its first second (docs/reference/http.md#strict-signature), and a browser complains of each refusal. */
import { createBourseClient } from '../../src/client/client.ts'
import type { Credentials } from './bourse-process.ts'

/** Resolves once the node takes them. */
export async function untilStrictSignatures(
  url: string,
  { apiKey, secret }: Pick<Credentials, 'apiKey' | 'secret'>,
): Promise<void> {
  await createBourseClient({ url, apiKey, secret }).openOrders()
}
