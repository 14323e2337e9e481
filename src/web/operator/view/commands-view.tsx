/** Every command of `bourse admin`, under the titles of its overview, each with its form. */
import { SECTIONS } from '../../../cli/admin/sections.ts'
import type { PageSession } from '../state/page-session.ts'
import { Action } from './parts/action.tsx'
import { Panel } from './parts/parts.tsx'

export function CommandsView({ session }: { readonly session: PageSession }) {
  return (
    <div class="stack">
      <p class="lead">
        All that <code>bourse admin</code> can, in its own words. What your role may not do is not enabled,
        and says what it lacks.
      </p>
      {SECTIONS.map(({ title, commands }) => (
        <Panel key={title} title={title}>
          <dl class="commands">
            {commands
              .filter(({ name }) => !name.startsWith('approval a') && !name.startsWith('approval r'))
              .map(({ name, summary }) => (
                <div key={name}>
                  <dt>
                    <Action session={session} command={name} />
                  </dt>
                  <dd>{summary}</dd>
                </div>
              ))}
          </dl>
        </Panel>
      ))}
    </div>
  )
}
