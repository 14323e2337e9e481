/** The keys that a sandbox gives to users on its own machine. */
import { TEXTS } from '../../shared/texts/texts.ts'

const KEY_PATH = '/sandbox/key'

export const SANDBOX_ACCOUNTS = ['alice', 'bob'] as const

/** Rejects if the node does not return one. */
export async function sandboxKey(
  account: (typeof SANDBOX_ACCOUNTS)[number],
): Promise<{ readonly apiKey: string; readonly secret: string }> {
  const response = await fetch(KEY_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ account }),
  })
  const body = (await response.json()) as Readonly<Record<string, unknown>>
  const { apiKey, secret } = body
  if (typeof apiKey === 'string' && typeof secret === 'string') return { apiKey, secret }
  throw new Error(typeof body.error === 'string' ? body.error : TEXTS.page.nodeAnswered(response.status))
}
