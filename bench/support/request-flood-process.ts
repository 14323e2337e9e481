/**
 * Sends requests that all fail, at a fixed rate, whether or not earlier ones are answered, in a process of
 * its own; prints its report. Both kinds send bodies and headers of the same length, so that they cost the
 * sender the same.
 */
import type { Flooded, FloodOrder } from './request-flood.ts'

/**
 * Maximum number of requests in flight; further ones wait, so that the sender does not run out of sockets if
 * the server is behind.
 */
const UNDER_WAY_MAX = 256

const { port, kind, perSecond, milliseconds } = JSON.parse(process.argv[2] ?? '') as FloodOrder
const [server, origin] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`]
const answers: Record<string, number> = {}
let sent = 0
let answered = 0

const config = await fetch(`${server}/account/v1/config`, { headers: { Host: new URL(origin).host } })
const cookie = config.headers.getSetCookie().map((each) => each.split(';')[0])
const { data } = (await config.json()) as { readonly data: { readonly csrfToken: string } }
const sessionKey = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
const path = kind === 'SIGN_IN' ? '/account/v1/login/password' : '/account/v0/login/password'

async function fail(n: number): Promise<void> {
  const [a, b, c] = [n & 63, (n >> 6) & 255, (n >> 14) & 255]
  const response = await fetch(server + path, {
    method: 'POST',
    headers: {
      Host: new URL(origin).host,
      Origin: origin,
      Cookie: cookie.join('; '),
      'X-CSRF-Token': data.csrfToken,
      'X-Forwarded-For': `${32 + a}.${b}.${c}.7`,
    },
    body: JSON.stringify({
      mail: `p${n}@example.org`,
      password: `wrong password ${n}`,
      code: '000000',
      sessionKey,
    }),
  })
  const { reason = '' } = (await response.json().catch(() => ({}))) as { readonly reason?: string }
  const answer = `${response.status} ${reason}`.trim()
  answers[answer] = (answers[answer] ?? 0) + 1
  answered++
}

const startMs = performance.now()
const elapsedMs = (): number => performance.now() - startMs
while (elapsedMs() < milliseconds) {
  const due = Math.floor((elapsedMs() / 1_000) * perSecond)
  while (sent < due && sent - answered < UNDER_WAY_MAX) void fail(sent++)
  await Bun.sleep(1)
}
const flooded: Flooded = { perSecond: sent / (elapsedMs() / 1_000), answers }
console.log(JSON.stringify(flooded))
process.exit(0)
