/** Sends what a form has made, bound to what was shown. Whatever goes wrong is an answer that can be read. */
import type { AdminCommand } from '../../../cli/admin/command.ts'
import type { Answer } from './page-session.ts'

export type CommandSend = {
  readonly command: Pick<AdminCommand, 'pieces'>
  /** Undefined: the command is not bound to what was shown. */
  readonly shownText: string | undefined
  readonly digest: (text: string) => Promise<string>
  /** Never rejects. `shown`: the digest of what was shown. */
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
    // Without TLS, and not on the loopback address, browsers compute none.
    const message = `The browser computes no digest of what was shown, so nothing was sent: ${messageOf(error)}`
    return { ok: false, error: { reason: 'NOT_SENT', message } }
  }
  return await inPieces(command, () => ask(shown))
}

/** What is shown of an answer. It was done, even where it cannot be shown. */
export function shownAnswer(show: () => string): string {
  try {
    return show()
  } catch (error) {
    return `It was done. Its answer cannot be shown: ${messageOf(error)}`
  }
}

/** Asks again until all pieces are done, as the command line does. */
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
