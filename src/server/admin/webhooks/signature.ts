/**
 * The signature of a webhook's request: over the time of the attempt and the exact bytes of the body, so that
 * an old request cannot be sent again later.
 */
import { createHmac } from 'node:crypto'

export const SIGNATURE_HEADER = 'X-Bourse-Signature'

/**
 * `t=<ms>,v1=<hex of HMAC-SHA256(secret, "<ms>.<body>")>`; `timeMs`: when this attempt is sent, in
 * milliseconds since 1970.
 */
export function signatureOf(secret: string, timeMs: number, body: string): string {
  const digest = createHmac('sha256', secret).update(`${timeMs}.${body}`).digest('hex')
  return `t=${timeMs},v1=${digest}`
}
