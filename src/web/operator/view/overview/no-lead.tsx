/** The page of an engine that does not lead: it names the one that does, and its address. It asks again until this one leads, or is asked for a login. */
import { useEffect } from 'preact/hooks'
import type { PageSession } from '../../state/page-session.ts'

const ASK_EVERY_MS = 3_000

export function NoLead({ session }: { readonly session: PageSession }) {
  useEffect(() => {
    const timer = setInterval(() => void session.resume(), ASK_EVERY_MS)
    return () => clearInterval(timer)
  }, [session])
  return (
    <main class="login">
      <section class="panel">
        <h1>Nothing to operate here</h1>
        <p>
          Operators use the page of the engine that leads, and log in there: a session is of one engine, and
          ends when that one leads no more.
        </p>
        <p>
          Where none leads, nothing can be traded. <code>bourse cluster status</code> says what the database
          knows, and the log of each engine why it does not lead.
        </p>
        <p class="help">When this engine leads, the login stands here by itself.</p>
      </section>
    </main>
  )
}
