/**
 * The page of an engine that does not lead: it names the leader and its address. It checks again until this
 * engine leads, or the operator wants to log in.
 */
import { useEffect } from 'preact/hooks'
import type { PageSession } from '../../state/page-session.ts'
import { say } from '../../texts/texts.ts'

const ASK_EVERY_MS = 3_000

export function NoLead({ session }: { readonly session: PageSession }) {
  useEffect(() => {
    const timer = setInterval(() => void session.resume(), ASK_EVERY_MS)
    return () => clearInterval(timer)
  }, [session])
  return (
    <main class="login">
      <section class="panel">
        <h1>{say('This engine is not the leader')}</h1>
        <p>
          {say(
            'Log in on the leader’s page. A session belongs to one engine and ends when another one takes over.',
          )}
        </p>
        <p>
          {say('Without a leader, nothing can be traded: see “bourse cluster status” and the engines’ logs.')}
        </p>
        <p class="help">{say('When this engine becomes the leader, the login form appears here.')}</p>
      </section>
    </main>
  )
}
