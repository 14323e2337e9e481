/** Sends the request of a form, bound to the displayed text. Every failure becomes a readable answer. */
import type { AdminCommand } from '../../../cli/admin/command.ts'
import type { Answer } from './page-session.ts'

export type CommandSend = {
  readonly command: Pick<AdminCommand, 'pieces'>
  /** Undefined if the command is not bound to a displayed text. */
  readonly shownText: string | undefined
  readonly digest: (text: string) => Promise<string>
  /** Never rejects. `shown`: the digest of the displayed text. */
  readonly ask: (shown: string | undefined) => Promise<Answer<unknown>>
}

export async function sendCommand({
  command,
  shownText,
  digest,
  ask,
}: CommandSend): Promise<Answer<unknown>> {
  let shown: string | undefined
  try {
    shown = shownText === undefined ? undefined : await digest(shownText)
  } catch (error) {
    // Without TLS, browsers compute digests only on the loopback address.
    const message = `The browser could not compute a digest of the request shown, so nothing was sent: ${messageOf(error)}`
    return { ok: false, error: { reason: 'NOT_SENT', message } }
  }
  return await inPieces(command, () => ask(shown))
}

/**
 * The displayed answer. If the answer cannot be displayed, the command was carried out nevertheless, and
 * `otherwise` states this.
 */
export function shownAnswer<Shown>(show: () => Shown, otherwise: (problem: string) => Shown): Shown {
  try {
    return show()
  } catch (error) {
    return otherwise(messageOf(error))
  }
}

/** Repeats the request until all pieces are done, as the command line does. */
async function inPieces(
  { pieces }: Pick<AdminCommand, 'pieces'>,
  ask: () => Promise<Answer<unknown>>,
): Promise<Answer<unknown>> {
  let sum = await ask()
  while (sum.ok && pieces?.more(sum.result) !== undefined) {
    const next = await ask()
    sum = next.ok ? { ok: true, result: pieces.add(sum.result, next.result) } : next
  }
  return sum
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
