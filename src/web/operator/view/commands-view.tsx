/** Every command of `bourse admin`, under the titles of its overview, each with its form. */
import { SECTIONS } from '../../../cli/admin/sections.ts'
import type { PageSession } from '../state/page-session.ts'
import { summaryOf } from '../texts/command-texts.ts'
import { type Said, say } from '../texts/texts.ts'
import { Action } from './parts/action.tsx'
import { Panel } from './parts/parts.tsx'

export function CommandsView({ session }: { readonly session: PageSession }) {
  return (
    <div class="stack">
      <p class="lead">
        {say(
          'All commands of “bourse admin”. Commands that your role may not use are disabled and show the missing right.',
        )}
      </p>
      {SECTIONS.map(({ title, commands }) => (
        <Panel key={title} title={title as Said}>
          <dl class="commands">
            {commands
              .filter(({ name }) => !name.startsWith('approval a') && !name.startsWith('approval r'))
              .map((command) => (
                <div key={command.name}>
                  <dt>
                    <Action session={session} command={command.name} />
                  </dt>
                  <dd>{summaryOf(command)}</dd>
                </div>
              ))}
          </dl>
        </Panel>
      ))}
    </div>
  )
}
